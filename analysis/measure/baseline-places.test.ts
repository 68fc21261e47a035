import { expect, test } from '@playwright/test';
import type { Baseline } from '../../model/trial.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, startMs } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { endedAt } from '../../tests/random-trial.js';
import { decisionMoments, decisivePartUntil } from '../judge/early-verdict.js';
import { judge } from '../judge/judge.js';

const minute = { startMs, endMs: startMs + 60_000 };

/** A member of a room that sees a tile of each of these rates, in this order. */
function member(id: string, rates: readonly number[], fps: readonly number[] = []): ProbeBuilder {
  return rates.reduce(
    (probe, kbps, nth) => probe.receivesVideoFrom(`${id.slice(0, -1)}${'xyz'[nth]}`, { kbps, fps: fps[nth] ?? 30 }),
    aProbe(id).inRole('member'),
  );
}

function alone(...probes: readonly ProbeBuilder[]): Baseline {
  const samples = probes.flatMap((probe) => probe.samples(startMs, 60));
  return baselineOf(
    samples,
    probes.map((probe) => probe.participant()),
    minute,
  );
}

const judged = (baseline: Baseline, ...probes: readonly ProbeBuilder[]) => judge(aTrial(probes, { baseline }));
const room = alone(member('1a', [900, 120, 120]));

test('a room that is as its baseline is stable, with one tile of 900 and two of 120 kbit/s in any order', () => {
  expect(judged(room, member('1a', [900, 120, 120])).kind).toBe('stable');
  expect(judged(room, member('2a', [120, 900, 120]), member('2b', [120, 120, 900])).kind).toBe('stable');
});

test('the large tile is held against the large one: from 900 to 304 it fails, and so does a small one that starves', () => {
  const { kind, reasons } = judged(room, member('1a', [304, 120, 120]));
  expect(kind).toBe('unstable');
  expect(reasons).toMatchObject([{ code: 'low-bitrate', text: expect.stringContaining('1x at 304 kbit/s, 33.8 %') }]);
  expect(judged(room, member('1a', [900, 120, 60])).reasons).toMatchObject([
    { code: 'low-bitrate', text: expect.stringContaining('1z at 60 kbit/s, 50 %') },
  ]);
});

test('frame rates have ranks of their own: a screen of 5 frames a second beside a camera of 30', () => {
  const screen = alone(member('1a', [500, 500], [30, 5]));
  expect(judged(screen, member('1a', [490, 500], [5, 30])).kind).toBe('stable');
  expect(judged(screen, member('1a', [500, 500], [30, 3])).reasons.map(({ code }) => code)).toEqual(['low-frame-rate']);
});

test('more streams than the baseline had are as its last, and of fewer none is held against what may have left', () => {
  expect(judged(room, member('1a', [900, 120, 120])).kind).toBe('stable');
  const pair = alone(member('1a', [900, 120]));
  expect(judged(pair, member('1a', [900, 120, 120])).kind).toBe('stable');
  expect(judged(pair, member('1a', [900, 900, 60])).kind).toBe('unstable');
  expect(judged(room, member('1a', [120, 120])).kind).toBe('stable');
  expect(judged(room, member('1a', [900, 60])).kind).toBe('unstable');
});

/** It sends sound at this rate and receives nothing. */
const speaker = (id: string, kbps: number) =>
  aProbe(id)
    .inRole('member')
    .sendsAudio({ kbps })
    .without('send', 'video')
    .without('receive', 'video')
    .without('receive', 'audio');

test('who is muted is not held against who speaks, and as many must speak as in the baseline', () => {
  const one = alone(speaker('1a', 40), speaker('1b', 2), speaker('1c', 40));
  const second = [speaker('2a', 2), speaker('2b', 40), speaker('2c', 40)];
  expect(judged(one, ...second).kind).toBe('stable');
  expect(judged(one, ...second.slice(0, 2), speaker('2c', 2)).kind).toBe('unstable');
});

test('streams that are alike share one baseline as before, and unlike ones say their places', () => {
  const key = 'member/receive/video';
  expect(alone(member('1a', [460, 540])).streams[key]).not.toHaveProperty('places');
  expect(room.streams[key]?.places).toEqual({
    within: 'participant',
    bitrateKbps: [900, 120, 120],
    fps: [30, 30, 30],
  });
});

test('a tile that shrinks is found from a fifth on and never where nothing shrinks, whatever the layout', both, () => {
  const random = randomFrom(4711);
  let [wrong, found, shrunk] = [0, 0, 0];
  for (let round = 0; round < times(25, 600); round += 1) {
    const layout = Array.from({ length: 3 }, () => 60 + 1500 * random() ** 3);
    const noise = () => 1 + 0.1 * (random() - 0.5);
    const baseline = alone(member('1a', layout));
    const moved = [...layout].sort(() => random() - 0.5);
    const strength = random();
    const which = Math.floor(3 * random());
    const rates = (share: number) => moved.map((kbps, nth) => kbps * noise() * (nth === which ? share : 1));
    if (judged(baseline, member('1a', rates(1))).kind !== 'stable') wrong += 1;
    // Where the layout has another tile of about that size, the ranks close up: it is the smallest rank that then
    // lacks.
    if (strength < 0.3) continue;
    shrunk += 1;
    if (judged(baseline, member('1a', rates(1 - strength))).kind === 'unstable') found += 1;
  }
  expect(wrong).toBe(0);
  expect(found).toBe(shrunk);
});

test('a trial of unlike tiles that ends early ends as it would have in full', both, () => {
  const random = randomFrom(815);
  const wrong: object[] = [];
  let early = 0;
  for (let round = 0; round < times(25, 600); round += 1) {
    const turn = 30 * random();
    const share = () => (random() < 0.5 ? 1 : random());
    const tile = (kbps: number, fps: number) => {
      const [before, after] = [share(), share()];
      const at = (value: number) => (second: number) => value * (second < turn ? before : after);
      return { kbps: at(kbps), fps: at(fps) };
    };
    const probe = aProbe('1a')
      .inRole('member')
      .receivesVideoFrom('1x', tile(900, 30))
      .receivesVideoFrom('1y', tile(120, 30))
      .receivesVideoFrom('1z', tile(120, 15));
    const baseline = alone(member('1a', [900, 120, 120], [30, 30, 15]));
    const trial = aTrial([probe], { baseline, seconds: 30 });
    const moment = decisionMoments(trial.timing.measureMs).find((ms) => decisivePartUntil(endedAt(trial, ms), ms));
    if (moment === undefined) continue;
    early += 1;
    if (judge(trial).kind !== 'unstable') wrong.push({ round, moment });
  }
  expect(wrong).toEqual([]);
  expect(early).toBeGreaterThan(5);
});
