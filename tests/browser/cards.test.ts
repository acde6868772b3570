/** The pictures that built pages name for those who share them. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Parser } from 'htmlparser2';
import { DIST } from '../../src/build.ts';
import { site } from '../../src/site.ts';

interface Seen {
  meta: Map<string, string>;
  /** All text of the page. */
  text: string;
}

function see(file: string): Seen {
  const seen: Seen = { meta: new Map(), text: '' };
  const parser = new Parser({
    onopentag(name, { property, name: called, content = '' }) {
      if (name === 'meta') seen.meta.set(property ?? called ?? '', content);
    },
    ontext(text) {
      seen.text += text;
    },
  });
  parser.end(readFileSync(`${DIST}/${file}`, 'utf8'));
  return seen;
}

const pages = globSync('**/*.html', { cwd: DIST }).map((file) => file.replaceAll('\\', '/'));
const cards = globSync('cards/**/*.png', { cwd: DIST }).map((file) => file.replaceAll('\\', '/'));
const own = (card: string) =>
  card === 'cards/home.png' ? 'index.html' : card.replace(/^cards\/(.*)\.png$/, '$1/index.html');

test('every page names a picture that is there, is a PNG of the size that it says, and has words', () => {
  assert.ok(pages.length > 0);
  for (const file of pages) {
    const { meta } = see(file);
    const image = meta.get('og:image') ?? '';
    assert.ok(image.startsWith(site.url('/cards/')), `${file}: ${image}`);
    const path = `${DIST}${image.slice(site.url('').length)}`;
    assert.ok(existsSync(path), `${file}: ${image}`);
    const png = readFileSync(path);
    assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
    const size = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.deepEqual(size, [1200, 630]);
    assert.deepEqual(size.map(String), [meta.get('og:image:width'), meta.get('og:image:height')]);
    assert.ok((meta.get('og:image:alt') ?? '').length > 20, file);
    assert.equal(meta.get('twitter:card'), 'summary_large_image');
  }
});

test('home, articles, servers, clients and the scale have one of their own, and each is named', () => {
  const kinds = ['', 'servers/', 'clients/', 'weigh/'].map((path) => `${path}index.html`);
  const wanted = [...kinds, ...globSync(['a/*/index.html', 'servers/*/index.html'], { cwd: DIST })];
  assert.deepEqual(cards.map(own).sort(), wanted.map((file) => file.replaceAll('\\', '/')).sort());
});

test('no picture holds a number that its page does not', () => {
  for (const card of cards) {
    const { meta, text } = see(own(card));
    // All that is written on a card but the site's name and its words on receipts.
    const numbers = (meta.get('og:image:alt') ?? '').match(/\d[\d.,]*\d|\d/g) ?? [];
    assert.ok(numbers.length > 0, card);
    for (const number of numbers) {
      const whole = new RegExp(`(?<![\\d.,])${number.replaceAll('.', '\\.')}(?!\\d|[.,]\\d)`);
      assert.match(text, whole, card);
    }
  }
});
