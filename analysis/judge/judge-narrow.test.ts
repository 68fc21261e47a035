import { expect, test } from '@playwright/test';
import { askedLayer } from '../../model/layer.js';
import type { Network } from '../../model/network.js';
import { mediaSchema } from '../../model/plan.js';
import type { Participant } from '../../model/scenario.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500 });
const clean: Network = { name: 'clean', sharePercent: 75, up: {}, down: {}, steps: [] };
const narrow: Network = { name: 'narrow', sharePercent: 25, up: {}, down: { rateBps: 900_000 }, steps: [] };

const sizes = { high: { width: 1280, kbps: 1700 }, middle: { width: 640, kbps: 600 }, low: { width: 320, kbps: 200 } };
type Name = keyof typeof sizes;

/** Two calls of members who ask for the highest layer, of whom 2b alone is behind the narrow link. */
function trialOf(got: Readonly<Record<string, Name>>, isBaseline = false) {
  const members = calls(2).map(({ id }) =>
    aProbe(id)
      .receivesVideo(sizes[got[id] ?? 'high'])
      .asksFor(askedLayer(media, 'high')),
  );
  const place = (participant: Participant): Participant => ({
    ...participant,
    network: participant.id === '2b' ? 'narrow' : 'clean',
  });
  const input = aTrial(withProbes(calls(2), ...members), { baseline: isBaseline ? null : baseline() });
  const probes = input.probes.map((probe) => ({ ...probe, participant: place(probe.participant) }));
  return { input: { ...input, probes, networks: [clean, narrow] }, members };
}

/** Alone, who is behind the narrow link had the middle layer. */
function baseline() {
  const { input, members } = trialOf({ '2b': 'middle' }, true);
  return baselineOf(
    members.flatMap((member) => member.samples(startMs, 60)),
    input.probes.map(({ participant }) => participant),
    { startMs, endMs: startMs + 60_000 },
  );
}

const reasons = (got: Readonly<Record<string, Name>>) =>
  judge(trialOf(got).input).reasons.map(({ probe, code }) => `${probe} ${code}`);

test('who gets a lower layer behind a narrow link gets what fits, and nobody is named', () => {
  expect(reasons({ '2b': 'middle' })).toEqual([]);
});

test('who loses the layer to the narrow link of somebody else is named, and nobody else', () => {
  expect(reasons({ '1b': 'middle', '2b': 'middle' })).toContain('1b wrong-layer');
  expect(new Set(reasons({ '1b': 'middle', '2b': 'middle' }).map((one) => one.split(' ')[0]))).toEqual(new Set(['1b']));
});

test('a layer below the one that fits is less than the link carries', () => {
  expect(reasons({ '2b': 'low' })).toContain('2b narrow-picture');
});
