/** The fixture project with its content in its ledger, as `record` puts it there. */
import { reconcile } from '../../src/articles/reconcile.ts';
import { append } from '../../src/disk/append.ts';
import { load } from '../../src/load.ts';
import { type Project, project, STAMP } from './fixture.ts';

/** Puts what content says now into the ledger. */
export async function record(root: string, stamp = STAMP): Promise<void> {
  const loaded = await load({ root });
  await append(`${root}/ledger`, stamp, (batch) => {
    reconcile(batch, loaded);
  });
}

export async function recorded(): Promise<Project> {
  const made = await project();
  await record(made.root);
  return made;
}
