import { expect, test } from '@playwright/test';
import type { ByClosing } from '../../model/reset-proof.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { serverSentences } from './server-sentences.js';

test('a mean of the server that rests on few seconds is told, at its worst trial', () => {
  const records = [undefined, 62, 40].map((serverReadPercent, nth) => {
    const record = aRecord(calls(1), { index: nth + 1, size: 1 });
    return { ...record, load: { ...record.load, ...(serverReadPercent ? { serverReadPercent } : {}) } };
  });
  const said = serverSentences(aRun(records, { outcome: 'found', stable: 1, unstable: 2 }));
  expect(said).toContainEqual(expect.stringContaining('in 40 % of trial 3'));
  const all = serverSentences(aRun(records.slice(0, 1), { outcome: 'found', stable: 1, unstable: 2 }));
  expect(all.join()).not.toContain('could be read');
});

const why = 'it answers 405 Method Not Allowed to DELETE of a WHEP session';

for (const [what, closings, says] of [
  [
    'no stream answered any more',
    [
      { connections: 3, why, streams: 1, still: 0 },
      { connections: 4, why, streams: 1, still: 0 },
    ],
    `Warning: 7 connections were ended by closing alone: ${why}. Before the next trial no stream answered viewers any more.`,
  ],
  [
    'one stream still answered',
    [{ connections: 1, why, streams: 2, still: 1 }],
    `Warning: 1 connection was ended by closing alone: ${why}. Of 2 streams looked at before the next trial, 1 still answered viewers: their load may be in its numbers.`,
  ],
  [
    'the server does not tell',
    [{ connections: 2, why }],
    `Warning: 2 connections were ended by closing alone: ${why}. Nothing shows when the server noticed: it answers a viewer alike whether a stream is there or not.`,
  ],
  ['all were ended by request', [undefined], undefined],
] as const satisfies readonly (readonly [string, readonly (ByClosing | undefined)[], string | undefined])[]) {
  test(`the report says what was ended by closing alone: ${what}`, () => {
    const records = closings.map((byClosing, nth) => ({
      ...aRecord(calls(2), { index: nth + 1, size: 2 }),
      reset: { how: 'not-provable' as const, tookMs: 5, ...(byClosing ? { byClosing } : {}) },
    }));
    const said = serverSentences(aRun(records, { outcome: 'found', stable: 2, unstable: 3 }));
    expect(said.find((sentence) => sentence.includes('by closing'))).toBe(says);
  });
}
