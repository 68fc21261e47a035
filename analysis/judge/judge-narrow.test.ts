import { expect, test } from '@playwright/test';
import type { Aggregates } from '../../model/aggregate.js';
import { expectedStreams } from '../../model/expected-streams.js';
import { askedLayer } from '../../model/layer.js';
import type { Network } from '../../model/network.js';
import { mediaSchema } from '../../model/plan.js';
import type { Participant } from '../../model/scenario.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import { rulesOf } from './own-rules.js';

const media = mediaSchema.parse({ width: 1280, height: 720, videoKbps: 2500 });
const clean: Network = { name: 'clean', sharePercent: 75, up: {}, down: {}, steps: [] };
const narrow: Network = { name: 'narrow', sharePercent: 25, up: {}, down: { rateBps: 900_000 }, steps: [] };

/** Delays differ, which receivers take for a queue. */
const uneven: Network = { ...narrow, down: { rateBps: 900_000, delayMs: 40, jitterMs: 10 } };

const sizes = { high: { width: 1280, kbps: 1700 }, middle: { width: 640, kbps: 600 }, low: { width: 320, kbps: 200 } };
type Name = keyof typeof sizes;

/** A layer, or another one for six seconds of the minute. */
type Got = Name | { readonly usual: Name; readonly tried: Name };

function received(got: Got = 'high') {
  if (typeof got === 'string') return sizes[got];
  const at = (second: number) => sizes[second >= 30 && second < 36 ? got.tried : got.usual];
  return { width: (second: number) => at(second).width, kbps: (second: number) => at(second).kbps };
}

interface Options {
  /** What 2b got alone; absent: it is the baseline. */
  readonly alone?: Got;
  readonly link?: Network;
}

/** Two calls of members who ask for the highest layer, of whom 2b alone is behind the narrow link. */
function trialOf(got: Readonly<Record<string, Got>>, { alone, link = narrow }: Options = {}) {
  const members = calls(2).map(({ id }) =>
    aProbe(id).receivesVideo(received(got[id])).asksFor(askedLayer(media, 'high')),
  );
  const place = (participant: Participant): Participant => ({
    ...participant,
    network: participant.id === '2b' ? 'narrow' : 'clean',
  });
  const input = aTrial(withProbes(calls(2), ...members), { baseline: alone ? baselineWith(alone) : null });
  const probes = input.probes.map((probe) => ({ ...probe, participant: place(probe.participant) }));
  return { input: { ...input, probes, networks: [clean, link] }, members };
}

function baselineWith(alone: Got) {
  const { input, members } = trialOf({ '2b': alone });
  return baselineOf(
    members.flatMap((member) => member.samples(startMs, 60)),
    input.probes.map(({ participant }) => participant),
    { startMs, endMs: startMs + 60_000 },
  );
}

/** Alone, who is behind the narrow link had the middle layer, if nothing else is said. */
const reasons = (got: Readonly<Record<string, Got>>, { alone = 'middle', ...options }: Options = {}) =>
  judge(trialOf(got, { alone, ...options }).input).reasons.map(({ probe, code }) => `${probe} ${code}`);

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

test('a try of a higher layer, in the window of one trial and not of another, makes nobody lose a layer', () => {
  const trying: Got = { usual: 'middle', tried: 'high' };
  expect(reasons({ '2b': 'middle' }, { alone: trying })).toEqual([]);
  expect(reasons({ '2b': trying }, { alone: 'middle' })).toEqual([]);
  expect(reasons({ '2b': 'low' }, { alone: trying })).toContain('2b narrow-picture');
});

test('who had the layer alone for most of the time is named for what it loses beyond that, with both', () => {
  const texts = (got: Got) => judge(trialOf({ '2b': got }, { alone: { usual: 'high', tried: 'low' } }).input).reasons;
  expect(texts({ usual: 'high', tried: 'middle' })).toEqual([]);
  expect(texts('low').find(({ code }) => code === 'wrong-layer')?.text).toContain(
    'in 90 % of the time: 320 px wide in the median, and not 1280, counted from the 10 % of its link (limit 5 %)',
  );
});

test('where delays differ, which layer comes is of chance, and nobody is named for it', () => {
  expect(reasons({ '2b': 'low' }, { alone: 'high', link: uneven }).join()).not.toContain('wrong-layer');
});

test('a switch is waited for on a link that held the layer alone, and a layer that did not fit is none', () => {
  const layer = { ...askedLayer(media, 'high'), turns: [[0, 'low']] } as const;
  const { participant } = aProbe('2b').asksFor(layer).record();
  const [stream] = expectedStreams([{ ...participant, network: 'narrow' }]).filter(
    ({ direction, kind }) => direction === 'receive' && kind === 'video',
  );
  if (!stream) throw new Error('no picture is expected');
  const { input } = trialOf({});
  const judged = (alone: Partial<Aggregates>) => {
    const entry = { bitrateKbps: 500, ...alone };
    const measure = { ...input, baseline: { streams: { 'callee/receive/video:shown@narrow': entry } } };
    return rulesOf(input.thresholds).flatMap((rule) =>
      ['slow-switch', 'unasked-switch'].includes(rule.code) && rule.concerns(stream, measure)
        ? [[rule.code, rule.value({ stream, values: { switchP95Ms: 9000, unaskedSwitches: 9 } }, measure)]]
        : [],
    );
  };
  expect(judged({ belowLayerPercent: 1 })).toEqual([['slow-switch', 9000]]);
  expect(judged({ belowLayerPercent: 60 })).toEqual([]);
  expect(judged({}), 'it is not known').toEqual([]);
});
