import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeCards } from '../../src/cards/draw.ts';
import { readFace } from '../../src/cards/face.ts';
import { renderCard } from '../../src/render/card.ts';
import { type Card, nearestCard } from '../../src/render/cards.ts';

const dir = mkdtempSync(join(tmpdir(), 'weighbridge-cards-'));
after(() => rmSync(dir, { recursive: true }));
const card: Card = {
  page: '/a/x/',
  title: 'What x costs',
  value: '17,176',
  unit: 'tokens',
  label: 'upfront',
  status: 'observed',
  tier: 'system',
};
const measure = (text: string, _: string, size: number) => text.length * size * 0.6;

test('a card is drawn once: what was drawn before from the same words is taken as it is', async () => {
  const means = { name: 'Weighbridge', cache: join(dir, 'cache') };
  const home = { ...card, page: '/' };
  assert.equal(await writeCards(join(dir, 'one'), [card, home], means), 1, 'the same words once');
  const first = readFileSync(join(dir, 'one/cards/a/x.png'));
  assert.equal(first.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([first.readUInt32BE(16), first.readUInt32BE(20)], [1200, 630]);
  assert.equal(await writeCards(join(dir, 'two'), [card], means), 0);
  assert.deepEqual(readFileSync(join(dir, 'two/cards/a/x.png')), first);
  assert.equal(await writeCards(join(dir, 'two'), [{ ...card, value: '17,177' }], means), 1);
  assert.notDeepEqual(readFileSync(join(dir, 'two/cards/a/x.png')), first);
  assert.equal(readdirSync(means.cache).length, 2);
  // Byte for byte, without the cache too.
  await writeCards(join(dir, 'three'), [card], { ...means, cache: join(dir, 'other') });
  assert.deepEqual(readFileSync(join(dir, 'three/cards/a/x.png')), first);
});

test('words that are too long are set smaller, then cut; markup and unseen characters are words', () => {
  const svg = renderCard(
    { ...card, title: 'word '.repeat(80), label: '</text><script>\u202ex' },
    'A & B',
    measure,
  );
  const lines = [...svg.matchAll(/<text[^>]*font-size="(\d+)"[^>]*>([^<]*)</g)];
  assert.ok(lines.some(([, size, text]) => size === '46' && text?.endsWith('…')));
  for (const [, size = '', text = ''] of lines) {
    assert.ok(measure(text.replace(/&#\d+;/g, '.'), '', Number(size)) <= 560, text);
  }
  assert.doesNotMatch(svg, /<script|\u202e/);
  assert.match(svg, /A &#38; B/);
});

test('a typeface out of npm’s file has its tables and widths; what is none is refused', () => {
  const file = '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff';
  const woff = readFileSync(createRequire(import.meta.url).resolve(file));
  const { sfnt, width } = readFace(woff);
  assert.equal(sfnt.length, woff.readUInt32BE(16));
  // Of a typeface for code every character is as wide: 600 thousandths.
  for (const text of ['iiii', 'WWWW', '1,2…'])
    assert.equal(width(text, 100).toFixed(6), '240.000000');
  assert.throws(() => readFace(sfnt), { code: 'face.form' });
});

test('a page without a card names that of the nearest page above it', () => {
  const cards = new Map([card, { ...card, page: '/' }].map((one) => [one.page, one]));
  assert.equal(nearestCard(cards, '/a/x/claims/y/')?.page, '/a/x/');
  assert.equal(nearestCard(cards, '/a/z/')?.page, '/');
  assert.equal(nearestCard(cards, '/404.html')?.page, '/');
  assert.equal(nearestCard(new Map(), '/a/x/'), undefined);
});
