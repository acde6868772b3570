/** `weighbridge VERB`: hands over to the verb's own script, or says which verbs there are. */
import '../src/pipe.ts';
import { fileURLToPath } from 'node:url';
import { COMMANDS, overview, VERBS } from '../src/commands.ts';
import { printable } from '../src/render/printable.ts';

const [asked] = process.argv.slice(2);
const verb = VERBS.find((one) => one === asked);
if (verb !== undefined) {
  const script = new URL(`../${COMMANDS[verb].script}`, import.meta.url);
  // As if it had been started itself: scripts read their arguments from there.
  process.argv.splice(1, 2, fileURLToPath(script));
  await import(script.href);
} else if (asked === undefined || asked === '--help' || asked === 'help') {
  process.stdout.write(overview());
} else {
  process.stderr.write(`no verb is called ${printable(asked)} [usage]\n\n${overview()}`);
  process.exitCode = 2;
}
