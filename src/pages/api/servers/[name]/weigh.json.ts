/** What a browser needs to derive the figures of a server again, and those over all servers. */
import type { APIRoute } from 'astro';
import type { ServerRecord } from '../../../../articles/catalogue.ts';
import type { FigureRecord } from '../../../../articles/record.ts';
import { renderServerRecipe, shownFigures } from '../../../../render/server.ts';
import { allShown } from '../../../../render/servers.ts';
import { site } from '../../../../site.ts';
import { readLog } from '../../../_log.ts';
import { readSite } from '../../../_site.ts';

interface Props {
  records: ServerRecord[];
  figures: FigureRecord[];
}
export async function getStaticPaths() {
  const { catalogues } = await readSite();
  const path = (name: string, records: ServerRecord[], figures: FigureRecord[]) => ({
    params: { name },
    props: { records, figures } satisfies Props,
  });
  const counted = catalogues.filter((record) => record.counted);
  return [
    path('all', counted, allShown(counted)),
    ...catalogues.map((record) => path(record.weighed.name, [record], shownFigures(record))),
  ];
}
export const GET: APIRoute<Props> = ({ params, props }) =>
  new Response(
    renderServerRecipe(
      params['name'] ?? '',
      props.records,
      props.figures,
      new Map(readLog().ledger.entries.map(({ leaf, seq }) => [leaf, seq])),
      site,
    ),
  );
