/** The figures and tables of this article that are not built in. Pure: captures in, figures out. */
import type { Captures, DeriveFigures } from '../../../src/measure/figure.ts';
import type { Quantity } from '../../../src/measure/figures.ts';
import { type SentRequest, toolOf } from '../../../src/measure/request.ts';

/** Clients in whose requests with ten servers the tools of each server are told one by one. */
const CLIENTS: [id: string, client: string, version: string][] = [
  ['gemini', 'gemini-cli', '0.61.0'],
  ['opencode', 'opencode', '1.18.33'],
  ['claude_old', 'claude-code', '2.1.165'],
  ['claude_new', 'claude-code', '2.1.332'],
];
const SERVER = 'everything';

const derive: DeriveFigures = (captures) => {
  const requests = CLIENTS.map(([id, client, version]) => ({
    id,
    client,
    version,
    request: find(captures, client, version),
  }));
  const seen = Object.fromEntries(
    requests.flatMap(({ id, request }) => [
      [`listed_${id}`, listed(request, toolOf(SERVER), 'tools of the server in this request')],
      [
        `roots_${id}`,
        listed(request, /everything__?get-roots-list$/, 'of them that ask for roots'),
      ],
      [
        `elicits_${id}`,
        listed(
          request,
          /everything__?trigger-(?:url-)?elicitation(?:-request)?$/,
          'of them that ask the user',
        ),
      ],
    ]),
  );
  return {
    figures: seen,
    tables: {
      callers: {
        caption: 'One server at one version, by who asked',
        columns: [
          { key: 'caller', label: 'Caller' },
          { key: 'tools', label: 'Tools', numeric: true },
          { key: 'roots', label: 'Of them for roots', numeric: true },
          { key: 'elicits', label: 'For asking the user', numeric: true },
        ],
        rows: [
          {
            key: 'none',
            cells: [
              'a caller that declares nothing',
              { figure: 'servers.everything.tools' },
              '–',
              '–',
            ],
          },
          ...requests.map(({ id, client, version }) => ({
            key: id,
            cells: [
              `${client} ${version}`,
              { figure: `listed_${id}` },
              { figure: `roots_${id}` },
              { figure: `elicits_${id}` },
            ],
          })),
        ],
      },
    },
  };
};
export default derive;

function find({ requests }: Captures, client: string, version: string): SentRequest {
  const found = requests.find(
    (one) => one.client === client && one.version === version && one.variant === 'servers-10',
  );
  if (found === undefined) throw new Error(`no request of ${client} ${version} with ten servers`);
  return found;
}

/** How many tools whose name fits a request defines, or names where it defines none of the server. */
function listed({ digest, leaf }: SentRequest, form: RegExp, label: string): Quantity {
  const of = toolOf(SERVER);
  const defined = digest.tool_list.map(({ name }) => name).filter((name) => of.test(name));
  const names = defined.length > 0 ? defined : digest.named.filter((name) => of.test(name));
  const value = names.filter((name) => form.test(name)).length;
  const method = 'request/listed@1';
  return { value, decimals: 0, unit: 'tools', label, method, status: 'observed', inputs: [leaf] };
}
