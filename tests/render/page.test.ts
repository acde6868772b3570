import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bars } from '../../src/render/bars.ts';
import { headOf, transcribe, wordsOf } from '../../src/render/page.ts';

const page = (main: string) =>
  `<html><head><title>A &#34;b&#34; · Site</title><meta name="description" content="c &lt;d&gt;"></head><body><nav>n</nav><main>${main}</main></body></html>`;
const written = (main: string) =>
  transcribe(page(main), (href) => new URL(href, 'https://x.test/sub/').href);

test('a page’s head says its title without the site’s name, and its description', () => {
  assert.deepEqual(headOf(page(''), 'Site'), { title: 'A "b"', description: 'c <d>' });
  assert.equal(headOf('<html><head></head></html>', 'Site'), null);
});

test('headings, lists, definitions, tables and code become markdown, and links lead there from anywhere', () => {
  assert.equal(
    written(
      `<h1>T</h1><p>One <strong>two</strong> <a href="../a/">three</a>.</p><ul><li>x</li><li>y</li></ul>
       <dl><div><dt>k</dt><dd>v</dd></div></dl><pre><code>a
  b</code></pre><div><table><caption>C</caption><tr><th>n</th><th class="align-right">m</th></tr><tr><td>1<br>2</td><td>3</td></tr></table></div>`,
    ),
    `# T

One **two** [three](https://x.test/a/).

- x
- y

* **k**: v

\`\`\`
a
  b
\`\`\`

**C**

| n | m |
| - | -: |
| 1 2 | 3 |
`,
  );
});

test('what is for a screen alone is left out', () => {
  assert.equal(
    written('<nav>a</nav><script>b</script><form>c</form><svg><text>d</text></svg>e'),
    'e\n',
  );
});

test('a chart becomes a table of its values', () => {
  const rows = [
    { label: 'a|b', parts: [1200, 30], text: '1,240' },
    { label: 'c', parts: [0, 5], text: '6' },
  ];
  const chart = bars(rows, 'f', ['name', 'schema'], { rows: 'Server', whole: 'Tokens' });
  assert.equal(
    written(`<p>x</p>${chart}`),
    `x

| Server | Name | Schema | Tokens |
| - | -: | -: | -: |
| a\\|b | 1,200 | 30 | 1,240 |
| c | 0 | 5 | 6 |
`,
  );
});

test('what only the style sheet sets apart does not run together, code stays as it is', () => {
  const list = '<p><span>1 + 2</span><b>3</b><span>d</span></p>';
  assert.equal(wordsOf(page('<p>a <span class="mono">#1</span></p>')), 'a');
  assert.equal(wordsOf(page(list)), '1 + 2 3 d');
  assert.equal(written(list), '1 + 2 **3** d\n');
  assert.equal(wordsOf(page('<pre><span>ab</span><span>c</span></pre><p>i<wbr>d</p>')), 'abc id');
  assert.equal(wordsOf(page('<p class="key"><b>k</b></p><div class="bars">c</div><p>t</p>')), 't');
});

test('text of a page is no markup in its markdown', () => {
  const text = written(
    '<p>&lt;script&gt; [x](javascript:y) # *z* `w` | v</p><table><tr><td>a|b</td></tr></table>',
  );
  assert.doesNotMatch(text, /(?<!\\)<script|(?<!\\)\[x\]\(|(?<!\\)\*z/);
  assert.match(text, /a\\\|b/);
  assert.match(written('<pre>```\n# x</pre>'), /^````\n```\n# x\n````\n$/);
});
