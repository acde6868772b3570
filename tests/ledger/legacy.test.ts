import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { LegacyBody } from '../../src/ledger/entry.ts';
import { legacyBody, verifyLegacy } from '../../src/ledger/legacy.ts';

// Hashed here on its own, by the formula in words, and not by the module under test.
const digest = (...parts: unknown[]): string =>
  createHash('sha256').update(parts.join('|'), 'utf8').digest('hex');

const CLAIMS = [
  { id: 'c1', text: 'A tool costs what its schema weighs.', tier: 'system', source_ids: ['s1'] },
  { id: 'c2', text: 'Zwölf Werkzeuge kosten mehr als elf.', tier: 'human', source_ids: [] },
];

/** Three contributions and three provenance records of our own making. */
function file() {
  const posts = [
    { action: 'sources', payload: { added: [{ id: 's1', url: 'https://example.com/a' }] } },
    ...CLAIMS.map(({ id, ...claim }) => ({ action: 'claim', payload: { claim_id: id, ...claim } })),
  ];
  let before = 'genesis';
  const contributions = posts.map((post, seq) => {
    const row = { seq, id: `k${seq}`, ts: `2026-01-0${seq + 1}`, model: 'm', role: 'r', ...post };
    const rest = { rationale: 'because', tokens_in: 0, tokens_out: 0, cost: 0, prev_hash: before };
    before = digest(
      rest.prev_hash,
      row.seq,
      row.ts,
      row.model,
      row.role,
      row.action,
      JSON.stringify(row.payload),
      rest.rationale,
    );
    return { ...row, ...rest, hash: before };
  });
  before = 'genesis';
  const provenance = [0, 1, 2].map((at) => {
    const row = { ts: `t${at}`, model: 'm', action: 'a', prompt: '', input: 'i', response: 'r' };
    const numbers = { tokens_in: at, tokens_out: at * 2, cost: at * 3, prev: before };
    before = digest(before, ...Object.values(row), numbers.tokens_in, numbers.tokens_out);
    return { ...row, ...numbers, hash: before };
  });
  const sources = [{ id: 's1', url: 'https://example.com/a', title: 'A' }];
  return { slug: 'x', contributions, provenance, claims: CLAIMS, sources };
}
type File = ReturnType<typeof file>;
const verdict = (change: (made: File) => unknown = (made) => made) => {
  const made = file();
  const found = verifyLegacy(JSON.parse(JSON.stringify(change(made) ?? made)));
  assert.ok(found !== null);
  return found;
};

test('a chain of the older form verifies, each record by its hash and its link', () => {
  const made = file();
  const { records, verified, heads } = verdict();
  assert.equal(verified, 6);
  assert.ok(records.every(({ hashes, links }) => hashes && links));
  assert.equal(heads.contributions, made.contributions[2]!.hash);
  assert.equal(heads.provenance, made.provenance[2]!.hash);
});

test('the fields that no hash is over are named, and so are numbers of which it cannot be told', () => {
  const { records, uncovered } = verdict();
  assert.deepEqual(records[0]!.uncovered, ['id', 'tokens_in', 'tokens_out', 'cost']);
  // All three numbers are 0: any two of them give the same hash.
  assert.deepEqual(records[3]!.undecided, ['tokens_in', 'tokens_out', 'cost']);
  assert.deepEqual(records[3]!.uncovered, []);
  assert.deepEqual([records[4]!.undecided, records[4]!.uncovered], [[], ['cost']]);
  assert.deepEqual(uncovered, ['slug']);
});

test('a changed field breaks the hash of its record, and no other', () => {
  const { records, verified } = verdict((made) => {
    made.contributions[1]!.rationale = 'because of that';
  });
  assert.deepEqual(
    records.slice(0, 3).map(({ hashes, links }) => [hashes, links]),
    [
      [true, true],
      [false, true],
      [true, true],
    ],
  );
  assert.equal(verified, 5);
});

test('a changed field that is not covered goes unseen, as does a cut tail', () => {
  const changed = verdict((made) => {
    made.contributions[1]!.cost = 99;
    made.contributions.pop();
  });
  assert.equal(changed.verified, 5);
  assert.equal(changed.records.length, 5);
});

test('records in another order do not link', () => {
  const { records, verified } = verdict((made) => {
    made.contributions.reverse();
  });
  assert.deepEqual(
    records.slice(0, 3).map(({ hashes, links }) => [hashes, links]),
    [
      [true, false],
      [true, false],
      [true, false],
    ],
  );
  assert.equal(verified, 3);
});

test('text that holds the separator is pointed out, since it can move to the next field unseen', () => {
  const move = (model: string, role: string) =>
    verdict((made) => {
      const row = made.contributions[2]!;
      row.model = model;
      row.role = role;
      row.hash = digest(
        row.prev_hash,
        row.seq,
        row.ts,
        'a|b',
        'c',
        row.action,
        JSON.stringify(row.payload),
        row.rationale,
      );
    }).records[2]!;
  assert.deepEqual([move('a|b', 'c').hashes, move('a', 'b|c').hashes], [true, true]);
  assert.ok(move('a|b', 'c').movable);
  assert.equal(verdict().records[2]!.movable, false);
});

test('what the page shows is held against the chain: the same, with other text, unknown, and gone', () => {
  const { claims, sources } = verdict((made) => ({
    ...made,
    claims: [
      { ...CLAIMS[0], section: 'costs' },
      { ...CLAIMS[1], text: 'Twelve tools cost more.', tier: 'system' },
      { id: 'c3', text: 'Nobody posted this.' },
    ],
    sources: [],
  }));
  assert.deepEqual(claims, {
    shown: 3,
    known: [
      { id: 'c1', differs: [], unsaid: ['section'] },
      { id: 'c2', differs: ['text', 'tier'], unsaid: [] },
    ],
    absent: ['c3'],
    gone: [],
  });
  assert.deepEqual(sources, { shown: 0, known: [], absent: [], gone: ['s1'] });
});

test('a record without a field it is hashed over, or of another kind, fails and does not throw', () => {
  const bare = verifyLegacy({ contributions: [{ hash: 'x' }, { hash: 'y', payload: 3 }] });
  assert.equal(bare?.verified, 0);
  assert.equal(bare?.records.length, 2);
});

test('a file of another form is not taken for one', () => {
  for (const other of [null, [], {}, { contributions: {} }, { contributions: [{}] }, 'x']) {
    assert.equal(verifyLegacy(other), null);
  }
});

test('what enters the ledger is counts, heads and digests, and no text of the file', () => {
  const found = verdict((made) => ({ ...made, claims: [{ ...made.claims[0]!, text: 'Other.' }] }));
  const about = { id: 'x', file: { sha256: 'a'.repeat(64), bytes: 9 } };
  const body = LegacyBody.parse({ ...legacyBody(found, about), replaces: null });
  assert.deepEqual(body.claims, { shown: 1, same: 0, other: 1, absent: 0, gone: 1 });
  assert.deepEqual([body.contributions.records, body.provenance.verified], [3, 3]);
  assert.equal(body.contributions.head, found.heads.contributions);
  const texts = Object.values(body).flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.values(value) : value,
  );
  const said = texts.filter((value) => typeof value === 'string' && !/^[0-9a-f]{64}$/.test(value));
  assert.deepEqual(said, ['x', 'legacy/pipe-joined@1']);
});
