/**
 * What the words of evidence mean: tiers, statuses, the state of a quote, surfaces of an objection,
 * methods. The one place where they are defined; chips, checks and the page /evidence/ quote it.
 */
import type { Status, Tier } from '../ledger/entry.ts';
import type { QUOTE_STATUSES } from '../ledger/terms.ts';

export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

/** What kind of thing a claim is drawn from, whoever measured it. */
export const TIER_MEANS: Readonly<Record<Tier, string>> = {
  human: 'Drawn from what people did or reported when they were asked in a set way.',
  preclinical: 'Drawn from a trial in a stand-in for real use: a benchmark or a made-up catalogue.',
  anecdotal: 'Drawn from what happened to somebody, told without a procedure to repeat.',
  mechanistic: 'Follows from how the parts are specified or built.',
  speculative: 'A guess or forecast; nothing that was looked at shows it yet.',
  system: 'Drawn from a running system, by what it sent or did.',
};

/** How it is known, and what a claim must rest on to say so. */
export const STATUS_MEANS: Readonly<Record<Status, { means: string; needs: string }>> = {
  observed: {
    means: 'Measured here, on a payload that stands in the ledger.',
    needs: 'a figure that rests on a capture',
  },
  derived: {
    means: 'Worked out by arithmetic from inputs that are cited.',
    needs: 'a figure worked out from others',
  },
  specified: {
    means: 'Said by a standard, or by the vendor of the thing.',
    needs: 'a source that is a specification or its publisher’s documentation',
  },
  implemented: {
    means: 'Seen in code that is published.',
    needs: 'a source that is a repository',
  },
  deployed: {
    means: 'Seen in a live system.',
    needs: 'a figure that rests on a capture, or a runtime receipt',
  },
  reproduced: {
    means: 'The procedure that somebody stated was run again here.',
    needs: 'a figure that rests on a capture, and the source whose procedure was rerun',
  },
  externally_attested: {
    means: 'Reported by others, and not measured here.',
    needs: 'a source in which somebody else reports it',
  },
};

/** What was found when the page that is quoted was asked. */
export const QUOTE_MEANS: Readonly<Record<QuoteStatus, string>> = {
  verified: 'The page was read and holds these words, white space aside.',
  unverified: 'The words were not found on the page, or nobody has looked yet.',
  gone: 'The page says that it is no more.',
};

/** Where an objection can attack a claim. */
export const SURFACES = [
  { id: 'S1', name: 'wording', means: 'The sentence says more, or other, than what it rests on.' },
  { id: 'S2', name: 'source', means: 'The source does not say it, or is not to be relied on.' },
  { id: 'S3', name: 'method', means: 'The way of measuring does not measure what is claimed.' },
  { id: 'S4', name: 'arithmetic', means: 'The number does not follow from its inputs.' },
  { id: 'S5', name: 'tier or status', means: 'It is known in another way than it says.' },
  { id: 'S6', name: 'scope', means: 'It holds for fewer cases than it speaks of.' },
  { id: 'S7', name: 'freshness', means: 'It held once; what it is about has changed since.' },
  {
    id: 'S8',
    name: 'representation',
    means: 'A table, a chart or one of the forms shows it otherwise than it is.',
  },
] as const;

/**
 * Methods by id: a `*` stands for one part between slashes. A figure's method is one of these, or
 * several of them joined by slashes, each done to what the one before gave.
 */
export const METHODS: readonly { id: string; means: string }[] = [
  {
    id: 'tokens/*/*/compact@1',
    means:
      'Tokens by the tokenizer named first, of the tools in the shape named second, as JSON without spaces; each tool is called mcp__SERVER__TOOL, by the server’s name here. Parts are counted each by itself; what is left between them is punctuation.',
  },
  { id: 'bytes/*/compact@1', means: 'UTF-8 bytes of the same JSON.' },
  {
    id: 'schemas@1',
    means: 'Of the input schemas alone, as one list; also with each block under $defs emptied.',
  },
  { id: 'tools/listed@1', means: 'Tools in the list that the server gave, all pages.' },
  {
    id: 'repeats/*/compact@1',
    means:
      'Objects and lists that stand in the JSON more than once, of at least as many bytes as it names; of defs, those under $defs. Only the copies after the first count.',
  },
  { id: 'diff/listed@1', means: 'Tools that two releases of one server do not list alike.' },
  {
    id: 'listings/same-order@1',
    means: 'Servers that listed their tools in one order when they were asked twice.',
  },
  {
    id: 'listings/same-bytes@1',
    means: 'Servers that sent the same bytes, but for the request’s id, when asked twice.',
  },
  { id: 'listings/defs@1', means: 'Servers with a tool whose schema has a block of $defs.' },
  {
    id: 'protocol/initialize@1',
    means: 'Servers by the revision of the protocol that the handshake ended with.',
  },
  {
    id: 'protocol/discover@1',
    means: 'Servers by what they answered to server/discover, asked in a process of its own.',
  },
  {
    id: 'tokens/*/chat-template@1',
    means: 'Tokens of the prompt that the model’s own chat template makes of the tools.',
  },
  {
    id: 'tokens/*/skill@1',
    means: 'Tokens of a skill: its name and description, or what follows the front matter.',
  },
  {
    id: 'kv-cache/*@1',
    means: 'Memory that a key-value cache of that model’s layout reserves for a prompt.',
  },
  { id: 'request/body@1', means: 'Bytes of the request that a client sent for one turn.' },
  { id: 'request/tools@1', means: 'Tools that the request defines.' },
  { id: 'request/server-tools@1', means: 'Of these, the tools of attached servers.' },
  { id: 'request/deferred@1', means: 'Of these, the tools marked to be loaded on demand.' },
  {
    id: 'request/named@1',
    means: 'Tools or namespaces that the request names as loadable, without a definition.',
  },
  { id: 'bytes/request/tools@1', means: 'UTF-8 bytes of the tool definitions of a request.' },
  { id: 'tokens/*/request/tools@1', means: 'Tokens of the tool definitions of a request.' },
  { id: 'tokens/*/request/system@1', means: 'Tokens of the client’s own instructions in it.' },
  {
    id: 'tokens/*/request/prefix@1',
    means: 'Tokens of both, the part that turns have in common and a provider may cache.',
  },
  {
    id: 'cache/write-less-read@1',
    means: 'What it costs to write tokens to a cache, less what it costs to read them.',
  },
  {
    id: 'cache/*@1',
    means:
      'Tokens of a prefix that a cache keeps or loses when the request differs: up to the first mark whose content changed, or up to the first tool that did.',
  },
  {
    id: 'gateway/*@1',
    means:
      'Rows of a log of requests, each once, as the source named says them, brought to one shape: all input, of it cached and written to a cache, output, cost, tools. Only its owner can read the log again.',
  },
  { id: 'cited/quote@1', means: 'Read from the exact characters of the source’s quote.' },
  { id: 'count@1', means: 'How many there are.' },
  { id: 'sum@1', means: 'The sum of its inputs.' },
  { id: 'difference@1', means: 'The first input less the second.' },
  { id: 'ratio@1', means: 'The first input over the second.' },
  { id: 'share@1', means: 'The first input in per cent of the second.' },
  { id: 'share/*@1', means: 'In per cent of a fixed size, here a context window in tokens.' },
  { id: 'over@1', means: 'By how much per cent the first input is more than the second.' },
  { id: 'mean@1', means: 'The arithmetic mean.' },
  {
    id: 'quantile/type-7@1',
    means: 'A quantile, interpolated between ranks as R’s type 7; the median where none is named.',
  },
  { id: 'largest@1', means: 'The largest of its inputs.' },
  { id: 'smallest@1', means: 'The smallest of its inputs.' },
  { id: 'spread@1', means: 'The largest over the smallest.' },
  {
    id: 'spread/percent@1',
    means: 'By how much per cent the largest is more than the smallest.',
  },
  { id: 'pearson@1', means: 'Pearson’s coefficient of correlation.' },
  { id: 'pearson-squared@1', means: 'That coefficient squared, in per cent.' },
];

/** The steps of a method id: `a/b@1/sum@1` is `a/b@1`, then `sum@1`. */
export const stepsOf = (method: string): string[] => method.split(/(?<=@\d+)\//);

/** The definition of one step; undefined for a method that only an article's own figures.ts knows. */
export function methodOf(step: string): (typeof METHODS)[number] | undefined {
  const parts = step.split('/');
  return METHODS.find(({ id }) => {
    const wanted = id.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, i) => {
        const [name, version] = part.split('@');
        const [is, at] = parts[i]!.split('@');
        return (name === '*' || name === is) && version === at;
      })
    );
  });
}
