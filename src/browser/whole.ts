/** Keeps what is one word on one line: a date, and an option of a command. Nobody misses it without a script. */

const DATE = String.raw`\b\d{4}-\d\d-\d\d\b`;
const OPTION = String.raw`(?<!\S)--?[A-Za-z][\w-]*`;
const WORDS = { text: new RegExp(DATE, 'g'), code: new RegExp(`${DATE}|${OPTION}`, 'g') };

/** Below `root`, but not in code that keeps its own lines. */
export function keepWhole(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: [Text, RegExpExecArray[]][] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!node.data.includes('-')) continue;
    const code = node.parentElement?.closest('code, pre, textarea, time, .whole');
    if (code && code.tagName !== 'CODE') continue;
    if (code?.parentElement?.tagName === 'PRE') continue;
    const words = [...node.data.matchAll(code ? WORDS.code : WORDS.text)];
    if (words.length > 0) found.push([node, words]);
  }
  for (const [node, words] of found) {
    // From the end, so that what stands before keeps its place.
    for (const word of words.reverse()) {
      const rest = node.splitText(word.index);
      rest.splitText(word[0].length);
      const whole = document.createElement('span');
      whole.className = 'whole';
      rest.replaceWith(whole);
      whole.append(rest);
    }
  }
}
