/** The contract once more, on workerd: Worker, Durable Object and static assets as they are deployed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatSkey } from '../../src/ledger/note.ts';
import { contract, SKEY } from './contract.ts';
import { startEdge, writeSite } from './edge.ts';

contract(async ({ terminalKey, signed, limit }) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-edge-'));
  const { port, kill } = await startEdge(writeSite(join(dir, 'site')), join(dir, 'state'), {
    TERMINAL_KEY: terminalKey,
    INTAKE_KEY: signed === true ? formatSkey(SKEY) : undefined,
    INTAKE_PER_MINUTE: String(limit ?? Number.POSITIVE_INFINITY),
  });
  return {
    send: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    origin: `http://localhost:${port}`,
    stop: async () => {
      await kill();
      rmSync(dir, { recursive: true });
    },
  };
});
