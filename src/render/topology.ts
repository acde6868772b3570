/**
 * What rests on what: an article's sections, claims, figures, sources and captures as a graph. Pure;
 * an edge is there only where the record says so.
 */
import { z } from 'zod';
import type { ArticleRecord } from '../articles/record.ts';
import { sourceInput } from '../articles/resolve.ts';
import type { SiteAddress } from '../site.ts';
import { claimAnchor, figureAnchor, sourceAnchor, symptomAnchor } from './anchor.ts';
import { forms } from './forms.ts';
import { head, headShape, print, Text, Url } from './published.ts';

const Node = z.strictObject({
  id: Text,
  kind: z.enum(['article', 'section', 'claim', 'figure', 'source', 'symptom', 'capture']),
  label: Text,
  url: Url,
});
const Edge = z.strictObject({
  from: Text,
  relation: z
    .enum(['holds', 'makes', 'shows', 'cites', 'rests_on', 'precedes'])
    .meta({ description: 'article holds section, section makes claim, claim shows figure' }),
  to: Text,
});
export const TopologyJson = z.strictObject({
  ...headShape('topology'),
  article: Text.nullable().meta({ description: 'Its slug; null for the whole site' }),
  nodes: z.array(Node),
  edges: z.array(Edge),
});
type Node = z.infer<typeof Node>;
type Edge = z.infer<typeof Edge>;

/** The graph of one article, each node and edge once. */
export function topologyOf(
  record: ArticleRecord,
  site: SiteAddress,
): { nodes: Node[]; edges: Edge[] } {
  const { slug, title, series, sections, claims, figures, sources, symptoms, captures } = record;
  const page = site.url(forms(slug).page);
  const self = `article:${slug}`;
  const own = (kind: Node['kind'], id: string) => `${kind}:${slug}/${id}`;
  const node = (kind: Node['kind'], id: string, label: string, anchor: string): Node => ({
    id: own(kind, id),
    kind,
    label,
    url: `${page}#${anchor}`,
  });
  const inputs = new Map([
    ...captures.map(({ leaf }) => [leaf, `capture:${leaf}`] as const),
    ...sources.map(
      ({ id, receipt }) => [receipt?.leaf ?? sourceInput(id), own('source', id)] as const,
    ),
  ]);
  const edge = (from: string, relation: Edge['relation'], to: string): Edge => ({
    from,
    relation,
    to,
  });
  return {
    nodes: [
      { id: self, kind: 'article', label: title, url: page },
      ...sections.map(({ id, heading }) => node('section', id, heading, id)),
      ...claims.map(({ id, text }) => node('claim', id, text, claimAnchor(id))),
      ...figures.map(({ id, label }) => node('figure', id, label, figureAnchor(id))),
      ...sources.map(({ id, title }) => node('source', id, title, sourceAnchor(id))),
      ...symptoms.map(({ id, symptom }) => node('symptom', id, symptom, symptomAnchor(id))),
      ...captures.map(({ leaf, server, version, sha256 }) => ({
        id: `capture:${leaf}`,
        kind: 'capture' as const,
        label: `${server} ${version}`,
        url: site.url(`/ledger/blobs/sha256/${sha256.slice(0, 2)}/${sha256}`),
      })),
    ],
    edges: [
      ...(series?.next ? [edge(self, 'precedes', `article:${series.next.slug}`)] : []),
      ...sections.map(({ id }) => edge(self, 'holds', own('section', id))),
      ...claims.flatMap(({ id, section, parts, sources: cited }) => [
        edge(own('section', section), 'makes', own('claim', id)),
        ...[...new Set(parts.flatMap((part) => ('figure' in part ? [part.figure] : [])))].map(
          (figure) => edge(own('claim', id), 'shows', own('figure', figure)),
        ),
        ...cited.map((source) => edge(own('claim', id), 'cites', own('source', source))),
      ]),
      ...figures.flatMap(({ id, inputs: leaves }) =>
        leaves.map((leaf) => edge(own('figure', id), 'rests_on', inputs.get(leaf) ?? leaf)),
      ),
      ...symptoms.flatMap(({ id, source, claims: made, reproduced }) => [
        edge(self, 'holds', own('symptom', id)),
        ...(source === null ? [] : [edge(own('symptom', id), 'cites', own('source', source))]),
        ...made.map((claim) => edge(own('symptom', id), 'rests_on', own('claim', claim))),
        ...(reproduced?.captures ?? []).flatMap(({ leaf }) => {
          const capture = inputs.get(leaf);
          return capture === undefined ? [] : edge(own('symptom', id), 'rests_on', capture);
        }),
      ]),
    ],
  };
}

/** One article's graph. */
export function renderTopology(record: ArticleRecord, site: SiteAddress): string {
  return document(record.slug, topologyOf(record, site), site);
}

/** The graph of all: what two articles share stands once. */
export function renderSiteTopology(records: readonly ArticleRecord[], site: SiteAddress): string {
  const graphs = records.map((record) => topologyOf(record, site));
  const nodes = new Map(graphs.flatMap((graph) => graph.nodes.map((node) => [node.id, node])));
  return document(
    null,
    { nodes: [...nodes.values()], edges: graphs.flatMap((graph) => graph.edges) },
    site,
  );
}

function document(
  article: string | null,
  graph: { nodes: Node[]; edges: Edge[] },
  site: SiteAddress,
): string {
  const value: z.infer<typeof TopologyJson> = { ...head('topology', site), article, ...graph };
  return print(value);
}
