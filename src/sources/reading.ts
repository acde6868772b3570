/**
 * What a page says to a reader: its text without markup. Pure; it runs no script and follows no
 * link, so of a page that is made by its scripts it sees only what came.
 */
import { Tokenizer } from 'htmlparser2';
import type { Nodes } from 'mdast';
import { markdownToMdast } from 'satteri';
import type { Page } from './page.ts';

/** Never shown as text. */
const HIDDEN = new Set(['script', 'style', 'template']);
/** What begins a line of its own (HTML, "Rendering"), and cells, which are read apart. */
const BLOCK = new Set(
  `address article aside blockquote body br button caption center dd details dialog dir div dl dt
  fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu
  nav ol option optgroup p pre search section select summary table tbody td tfoot th thead tr ul`.split(
    /\s+/,
  ),
);

/**
 * The ways to read a page; a quote may stand in any one. Of markdown both what was written and what
 * is shown, since either may have been copied; of JSON the text and, decoded, each string in it.
 */
export function readings({ url, type, text }: Page): string[] {
  if (/html/.test(type) || (type === '' && /^\s*</.test(text))) return [htmlText(text)];
  if (/json$/.test(type)) return [text, jsonText(text)];
  // Files come from many hosts as plain text, whatever their name says.
  if (type === 'text/markdown' || /\.mdx?$/i.test(new URL(url).pathname)) {
    return [text, markdownText(text)];
  }
  return [text];
}

/** No tree is made, so that the time grows with the page and not with its depth as well. */
function htmlText(html: string): string {
  let text = '';
  let hidden = 0;
  const tag = (start: number, end: number, by: 1 | -1): void => {
    const name = html.slice(start, end).toLowerCase();
    if (HIDDEN.has(name)) hidden = Math.max(0, hidden + by);
    else if (BLOCK.has(name)) text += '\n';
  };
  const none = (): void => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => tag(start, end, 1),
      onclosetag: (start, end) => tag(start, end, -1),
      ontext: (start, end) => {
        if (hidden === 0) text += html.slice(start, end);
      },
      ontextentity: (codepoint) => {
        if (hidden === 0) text += String.fromCodePoint(codepoint);
      },
      onattribdata: none,
      onattribentity: none,
      onattribend: none,
      onattribname: none,
      oncdata: none,
      oncomment: none,
      ondeclaration: none,
      onend: none,
      onopentagend: none,
      onprocessinginstruction: none,
      onselfclosingtag: none,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text;
}

function jsonText(json: string): string {
  const found: string[] = [];
  try {
    JSON.parse(json, (_key, value) => {
      if (typeof value === 'string') found.push(value);
    });
  } catch {
    // Not the JSON that it says it is; as text it can be read all the same.
  }
  return found.join('\n');
}

function markdownText(markdown: string): string {
  const say = (node: Nodes): string => {
    if (node.type === 'html') return htmlText(node.value);
    if ('value' in node) return node.value;
    if (node.type === 'break') return '\n';
    if (!('children' in node)) return '';
    const inner = (node.children as Nodes[]).map(say).join('');
    return /^(?:text|emphasis|strong|delete|link|linkReference)$/.test(node.type)
      ? inner
      : `\n${inner}\n`;
  };
  // The parser takes the square of a depth; no author quotes a hundred deep.
  const shallow = markdown.replace(/^(?:[ \t]*>){100,}/gm, '');
  return say(markdownToMdast(shallow, { features: { smartPunctuation: false } }));
}
