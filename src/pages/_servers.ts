/** `getStaticPaths` of every route of a server, and of every route of a tool. */
import type { ServerRecord, ToolRecord } from '../articles/catalogue.ts';
import { readSite } from './_site.ts';

export async function serverPaths() {
  const { catalogues } = await readSite();
  return catalogues.map((record) => ({ params: { name: record.weighed.name }, props: { record } }));
}

export async function toolPaths() {
  const { catalogues } = await readSite();
  return catalogues.flatMap((record) =>
    record.tools.map((tool) => ({
      params: { name: record.weighed.name, tool: tool.slug },
      props: { record, tool } satisfies { record: ServerRecord; tool: ToolRecord },
    })),
  );
}
