import { expect, test } from '@playwright/test';
import type { VideoRateControl } from '../../model/rate-control.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { trustSentences } from './trust-section.js';
import { rateSentences } from './trust-sentences.js';

interface Sent {
  readonly kbps: number;
  readonly estimateKbps?: number;
  readonly control?: Partial<VideoRateControl>;
}

/** A run of one call, both of which send so. */
function runOf({ kbps, estimateKbps, control = {} }: Sent) {
  const probes = ['1a', '1b'].map((id) => aProbe(id).sendsVideo({ kbps }));
  const record = aRecord(probes, { index: 1, size: 1 });
  const estimate = estimateKbps === undefined ? {} : { estimateKbps };
  return aRun(
    [
      {
        ...record,
        probes: record.probes.map((probe) => ({
          ...probe,
          rates: [{ leg: probe.participant.id, feedback: [], ...control }],
        })),
        streams: record.streams.map((one) => ({
          ...one,
          values: one.direction === 'send' && one.kind === 'video' ? { ...one.values, ...estimate } : one.values,
        })),
      },
    ],
    { outcome: 'found', stable: 1 },
  );
}

for (const [what, sent, says] of [
  [
    'REMB of the plan',
    { kbps: 474, estimateKbps: 500, control: { feedback: ['remb'] } },
    'by a rate that the server told (REMB)',
  ],
  [
    'an estimate below',
    { kbps: 270, estimateKbps: 300, control: { feedback: ['transport-cc'] } },
    'by the sender’s own estimate',
  ],
  ['both', { kbps: 470, estimateKbps: 498, control: { feedback: ['remb', 'transport-cc'] } }, 'one figure for both'],
  [
    'b= of the server',
    { kbps: 270, estimateKbps: 299, control: { serverKbps: 300 } },
    'by what the server’s description allows (b=)',
  ],
  ['loss', { kbps: 270, estimateKbps: 300 }, 'agreed to neither REMB nor transport-cc'],
  ['our own cap', { kbps: 495, estimateKbps: 522, control: { writtenKbps: 523 } }, 'by --video-kbps'],
  ['the sender', { kbps: 495, estimateKbps: 2400, control: { feedback: ['transport-cc'] } }, 'by --video-kbps'],
  ['a camera that gives less', { kbps: 200, estimateKbps: 2400 }, 'by nothing: less was sent'],
  ['a sender without estimate', { kbps: 490 }, 'by --video-kbps'],
  ['nothing that is known', { kbps: 300 }, 'by what is not known'],
] as readonly (readonly [string, Sent, string])[]) {
  test(`a report says that sent video was held by ${what}`, () => {
    const run = runOf(sent);
    const [sentence = ''] = rateSentences(run);
    expect(sentence).toContain('Sent video had a ceiling of 500 kbit/s (--video-kbps). It was held: 2 of 2 ');
    expect(sentence).toContain(says);
    expect(sentence).toContain(`at ${sent.kbps} kbit/s in the median.`);
    expect(trustSentences(run)).toContain(sentence);
  });
}

test('a run that did not write down how rates were held says nothing of it', () => {
  expect(
    rateSentences(
      aRun([aRecord([aProbe('1a'), aProbe('1b')], { index: 1, size: 1 })], { outcome: 'found', stable: 1 }),
    ),
  ).toEqual([]);
});
