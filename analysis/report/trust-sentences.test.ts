import { expect, test } from '@playwright/test';
import { planSchema } from '../../model/plan.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls, withProbes } from '../../tests/builders/trial-builder.js';
import { readingSentences } from './trust-sentences.js';

const sentencesWith = (probe: ReturnType<typeof aProbe>) =>
  readingSentences(
    aRun([aRecord(withProbes(calls(1), probe), { index: 1, size: 1 })], { outcome: 'found', stable: 1 }),
  );

test('round trips that cannot be are told with their number, those of a leg once and not for each of its streams', () => {
  const wrapped = (second: number) => (second === 7 || second === 9 ? 1_526_400 : 20);
  expect(sentencesWith(aProbe('1a').sendsVideo({ rttMs: wrapped }))[0]).toMatch(/^Left out: 2 round trips /);
  expect(sentencesWith(aProbe('1a').isRead({ rttMs: wrapped }))[0]).toMatch(/^Left out: 2 round trips /);
});

test('what was sent again stands beside the loss that is left, and nothing is said where nothing was', () => {
  expect(sentencesWith(aProbe('1a').receivesVideo({ resent: 5, lossPercent: 8 }))[0]).toContain('were sent again');
  expect(sentencesWith(aProbe('1a'))).toEqual([]);
});

test('loss on the way up that copies may hide is warned of by the name of the network, and how much is not known', () => {
  const told = (up: object, values: object, steps: object[] = []) => {
    const plan = planSchema.parse({
      ...{ scenario: 'one-to-one', server: { kind: 'embedded' } },
      networks: [{ name: 'twice', sharePercent: 100, up, down: { duplicatePercent: 10 }, steps }],
    });
    const record = aRecord(withProbes(calls(1), aProbe('1a')), { index: 1, size: 1 });
    const probes = record.probes.map((one) => ({ ...one, participant: { ...one.participant, network: 'twice' } }));
    const streams = record.streams.map((one) => ({ ...one, values }));
    const run = aRun([{ ...record, probes, streams }], { outcome: 'found', stable: 1 });
    return readingSentences({ ...run, manifest: { ...run.manifest, plan } });
  };
  const doubled = { duplicatePercent: 10 };
  expect(told({}, { lossPercent: 0 })).toEqual([]);
  expect(told(doubled, { lossPercent: 0 })).toEqual([expect.stringMatching(/^Warning: .*\(twice\)(?!.*measured)/)]);
  expect(told(doubled, {})[0]).toContain('not measured of 4 of 4 sent streams.');
  expect(told({}, { lossPercent: 0 }, [{ atMs: 0, up: doubled, down: {} }])).toHaveLength(1);
});
