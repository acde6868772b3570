/** The figures and tables of this article that are not built in. Pure: captures in, figures out. */
import type { DeriveFigures, Figure } from '../../../src/measure/figure.ts';
import { difference } from '../../../src/measure/figures.ts';

const VERSIONS = ['2.1.165', '2.1.197', '2.1.303', '2.1.304', '2.1.332'];

const derive: DeriveFigures = ({ figures }) => {
  const figure = (id: string): Figure => {
    const found = figures.get(id);
    if (found === undefined) throw new Error(`no figure ${id}`);
    return found;
  };
  const sent = (version: string, variant: string, measure: string) =>
    figure(`clients.claude-code.${version}.${variant}.${measure}`);
  const id = (version: string) => `block_${version.replaceAll('.', '_')}`;
  return {
    figures: Object.fromEntries(
      VERSIONS.map((version) => [
        id(version),
        difference(
          sent(version, 'baseline', 'body_bytes'),
          sent(version, 'attribution-off', 'body_bytes'),
          'bytes of the attribution block',
        ),
      ]),
    ),
    tables: {
      through: {
        caption: 'What a gateway must carry for one turn, two servers attached, nothing set',
        columns: [
          { key: 'version', label: 'Version' },
          { key: 'bytes', label: 'Bytes', numeric: true },
          { key: 'tools', label: 'Tools', numeric: true },
          { key: 'deferred', label: 'Marked deferred', numeric: true },
          { key: 'named', label: 'Only named', numeric: true },
          { key: 'block', label: 'Attribution block', numeric: true },
        ],
        rows: VERSIONS.map((version) => ({
          key: version,
          cells: [
            version,
            ...['body_bytes', 'tools', 'deferred', 'named'].map((measure) => ({
              figure: `clients.claude-code.${version}.baseline.${measure}`,
            })),
            { figure: id(version) },
          ],
        })),
      },
    },
  };
};
export default derive;
