/** What is told of a post as JSON Schema, against what is taken and what a receipt is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Kind, postSchema, readPost } from '../../src/intake/post.ts';
import { RECEIPT, receiptOf } from '../../src/intake/receipt.ts';
import { signerOf } from '../../src/intake/sign.ts';
import { SKEY } from './contract.ts';

const ajv = new Ajv2020({ strict: true, strictRequired: false, validateFormats: false });
const SOURCE = { type: 'github', url: 'https://example.com/x', title: 'X', summary: 'It does.' };
const POSTS: [Kind, Record<string, unknown>][] = [
  ['objection', { actor: 'a', objection: 'It is not so.', surface: 'S1' }],
  ['objection', { actor: 'a', objection: 'b', surface: 'S8', claim_id: null, minimum_patch: 'c' }],
  ['update', { actor: 'a', target: 'an-article', raw_text: 'There is a new release.' }],
  [
    'claim',
    {
      ...{ slug: 'an-article', text: 'One.', tier: 'system', source_ids: ['s1'] },
      ...{ who_claims: 'a', rationale: 'b' },
    },
  ],
  ['sources', { slug: 'an-article', sources: [SOURCE, { ...SOURCE, quote: 'it does' }] }],
];

test('what is taken fits the schema that is told of it, and what lacks or adds a field does neither', () => {
  for (const [kind, post] of POSTS) {
    const fits = ajv.compile(postSchema(kind));
    const both = (value: unknown) => [
      fits(value),
      'body' in readPost(kind, kind === 'objection' ? 'an-article' : null, value),
    ];
    assert.deepEqual(both(post), [true, true], `${kind}: ${ajv.errorsText(fits.errors)}`);
    assert.deepEqual(both({ ...post, colour: 'red' }), [false, false], kind);
    for (const name of Object.keys(post)) {
      if (post[name] === null || name === 'minimum_patch') continue;
      assert.deepEqual(both({ ...post, [name]: 7 }), [false, false], `${kind}.${name}`);
      const { [name]: _, ...rest } = post;
      if (name !== 'claim_id') assert.deepEqual(both(rest), [false, false], `${kind}.${name}`);
    }
  }
});

test('a receipt fits its schema, signed or not', async () => {
  const hash = 'a'.repeat(64);
  const kept = {
    ...{ id: 'b'.repeat(32), commit: hash, salt: hash, body_sha256: hash, body: '{}' },
    ...{ received_at: '2026-01-01T00:00:00.000Z', status: 'queued' as const, at: 1, keyed: false },
    ...{ kind: 'objection' as const, article: 'a', claim: null, seq: null, reason: null },
  };
  for (const signer of [null, signerOf(SKEY)]) {
    const receipt = await receiptOf(kept, signer);
    assert.ok(ajv.validate(RECEIPT, receipt), ajv.errorsText(ajv.errors));
  }
});
