import { expect, test } from '@playwright/test';
import { SealChain } from './seal.js';

const digest = 'a'.repeat(64);
const seal = { manifest: digest, samples: digest, evidence: digest };

test('the line of a record of many pieces is the JSON of the record, its seal and the chain, and reads back', async () => {
  for (const length of [0, 10, 20_000]) {
    const streams = Array.from({ length }, (_, index) => ({
      probe: `${index}a`,
      values: { fps: 30, none: undefined },
    }));
    const record = { index: 1, streams, none: undefined, last: length };
    const chain = new SealChain();
    const pieces: string[] = [];
    for await (const piece of chain.sealed(record, seal)) pieces.push(piece);
    expect(pieces.length > 2).toBe(length > 10);
    expect(pieces.join('')).toBe(JSON.stringify({ ...record, seal, chain: chain.head }));
    const reading = new SealChain();
    expect(reading.read(JSON.parse(pieces.join('')), 'trials.jsonl')).toEqual(seal);
    expect(reading.head).toBe(chain.head);
  }
});
