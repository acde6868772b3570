/** `/weigh/` in plain text: what the page does, and how a program does the same. Pure. */

import type { ServerRecord } from '../articles/catalogue.ts';
import type { SiteAddress } from '../site.ts';
import { number } from './counted.ts';
import { byCost, serverForms } from './servers.ts';

export const WEIGHING = { page: '/weigh/', markdown: '/weigh.md' } as const;

/** What is run to weigh one's own, each with what it is for. */
export const COMMANDS_OF_ONES_OWN = [
  ['npm run -s weigh -- --config .mcp.json', 'every server of a client, ranked'],
  ['npm run -s weigh -- npx -y @modelcontextprotocol/server-memory', 'one server over stdio'],
  ['npm run -s weigh -- --file tools.json --slim slim.json', 'a list, and the same said once'],
] as const;

export function renderWeighing(records: readonly ServerRecord[], site: SiteAddress): string {
  const commands = COMMANDS_OF_ONES_OWN.map(([command, what]) => `- \`${command}\`: ${what}`);
  const rows = byCost(records).map(({ weighed: { name, weight } }) => {
    const { total, name: names } = weight.tokens;
    return `| [${name}](${site.url(serverForms(name).markdown)}) | ${number(total)} | ${number(names)} |`;
  });
  return `# Weigh yours

The page takes a \`tools/list\` result, a lock file or a report and counts it in the reader's browser; nothing leaves it. A program runs the same module, from a clone of the site:

${commands.join('\n')}

## A budget

What a choice of servers puts into every request: their upfront tokens added up, or where a client defers definitions, the names alone. Over the window it is their share; a session pays for writing them once and for reading them in every turn after that; a local model reserves key-value cache for them.

| Server | Upfront tokens | Names alone |
| --- | --: | --: |
${rows.join('\n')}

For programs: [servers as JSON](${site.url(serverForms().json)}).
`;
}
