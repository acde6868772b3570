/** `npm run redact`: takes a payload out of the ledger's folder, and leaves word in the ledger. */
import { parseArgs } from 'node:util';
import { COMMANDS, help } from '../src/commands.ts';
import { redactBlob } from '../src/disk/withdraw.ts';
import { said, script, stampNow, Usage } from '../src/script.ts';

const USAGE = help('redact').trimEnd();

/** What the command line asks for; null for help. Throws Usage for what it can't mean. */
function asked() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: COMMANDS.redact.options,
  });
  if (values.help) return null;
  const [sha256 = '', ...more] = positionals;
  if (!/^[0-9a-f]{64}$/.test(sha256) || more.length > 0) {
    throw new Usage('name one payload, by the 64 hex digits of its SHA-256');
  }
  const reason = said('reason', values.reason);
  if (reason === '') throw new Usage('--reason says why, and never what the secret is');
  return { sha256, reason, ledger: values.ledger ?? 'ledger' };
}

await script('redact', async () => {
  const wish = asked();
  if (wish === null) console.log(USAGE);
  else {
    const stamp = stampNow();
    const seq = await redactBlob(wish.ledger, stamp, wish);
    console.log(`Redacted ${wish.sha256}: entry #${seq} says so, and the payload is gone from here.
What was pushed or copied is not: change the secret itself, and rewrite or drop the git history that
holds it. Figures that rested on the payload are not measured any more: \`npm run build\` names them.`);
  }
});
