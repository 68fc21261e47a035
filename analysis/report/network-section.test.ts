import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Network } from '../../model/network.js';
import { planSchema } from '../../model/plan.js';
import { participantsOf } from '../../model/scenario.js';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import { onNetworks } from '../../scenarios/on-networks.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { randomFrom } from '../../tests/random.js';
import { networkSentences } from './network-section.js';

const clean: Network = { name: 'clean', sharePercent: 90, up: {}, down: {}, steps: [] };
const slow = { delayMs: 175, loss: { kind: 'random', percent: 5 }, rateBps: 400_000 } as const;
const poor: Network = { name: 'poor-3g', sharePercent: 10, up: slow, down: slow, steps: [] };

const measure = {
  sent: 1000,
  received: 950,
  delayMs: 176,
  jitterMs: 1,
  lossPercent: 5.2,
  duplicatePercent: 0,
  reorderPercent: 0,
};
const check = {
  network: 'poor-3g',
  set: { up: slow, down: slow },
  measured: { up: { ...measure, rateBps: 399_000 }, down: { ...measure, lossPercent: 4.9, rateBps: 401_000 } },
  roundTripMs: 352,
  problems: [],
};

/** A trial in which those on a network lose so much, and some fail. */
function trial(
  size: number,
  loss: Readonly<Record<string, number>>,
  failing: readonly string[] = [],
  on = [clean, poor],
): TrialRecord {
  const participants = participantsOf(onNetworks(oneToOne, on).sessions(size));
  const streams = participants.map(
    ({ id, network }): StreamSummary => ({
      probe: id,
      leg: id,
      direction: 'receive',
      kind: 'video',
      values: { lossPercent: loss[network ?? ''] ?? 0, fps: 30, bitrateKbps: 400 },
    }),
  );
  return {
    size,
    streams,
    probes: participants.map((participant) => ({ participant, browser: 0, page: 0, up: true, join: {}, failures: [] })),
    verdict: {
      kind: failing.length === 0 ? 'stable' : 'unstable',
      reasons: failing.map((probe) => ({ code: 'video-loss', probe, text: '' })),
      thresholds: [],
    },
    network: { checks: [check], overflow: 0 },
  } as unknown as TrialRecord;
}

function sectionOf(records: readonly TrialRecord[], sizes: readonly number[], more: object = {}): string {
  const usual = { scenario: 'one-to-one', server: { kind: 'embedded' }, networks: [clean, poor] };
  const plan = planSchema.parse({ ...usual, ...more });
  const unit = { one: 'call', many: 'calls' };
  const networks = { means: 'user-mode-linux', why: 'this kernel has none' };
  const run = { manifest: { plan, unit, networks }, records } as unknown as FinishedRun;
  return networkSentences(run, sizes).join(' ');
}

const alone = trial(2, { clean: 0, 'poor-3g': 9.7 });

test('what was set stands beside what was measured', () => {
  const text = sectionOf([alone], []);
  expect(text).toContain('netem in a User-mode Linux: this kernel has none.');
  expect(text).toContain('175 ms and 5 % loss and 400 kbit/s up');
  expect(text).toContain('round trip 352 ms, loss 5.2 % up and 4.9 % down, 399 kbit/s up and 401 kbit/s down');
});

test('what several hosts measured before one trial is said to be of one trial, and of which hosts', () => {
  const checks = ['a', 'b'].map((host) => ({ ...check, host }));
  const text = sectionOf([{ ...alone, network: { checks, overflow: 0 } }], []);
  expect(text).toContain('Measured before 1 trial on a, b: round trip 352 ms');
});

test('the loss of the link and that of the load are told apart', () => {
  const text = sectionOf([alone, trial(20, { clean: 0, 'poor-3g': 12.7 })], [20]);
  expect(text).toContain(
    'on poor-3g lost 12.7 % of the video they received; alone they lose 9.7 % by their links: 3 points come from the load',
  );
  expect(sectionOf([alone, trial(20, { 'poor-3g': 9.6 })], [20])).toContain(byChance);
});

const byChance = 'what the load adds is no more than chance';

test('a server that loses nothing is not said to, however chance falls out', () => {
  const random = randomFrom(7);
  const deviate = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const lossy: Network = { name: 'lossy', sharePercent: 100, up: {}, down: { loss: slow.loss }, steps: [] };
  const packets = (400 * 125 * 60) / 1100;
  const mean = (streams: number) => 5 + 100 * Math.sqrt((0.05 * 0.95) / (streams * packets)) * deviate();
  const said = Array.from({ length: 100 }, () => {
    const [one, ten] = [trial(1, { lossy: mean(2) }, [], [lossy]), trial(10, { lossy: mean(20) }, [], [lossy])];
    return sectionOf([one, ten], [10], { networks: [lossy] });
  });
  expect(said.filter((text) => !text.includes(byChance))).toEqual([]);
});

test('whether bad networks hurt those on good ones is said', () => {
  expect(sectionOf([alone, trial(20, { clean: 0.1, 'poor-3g': 9.7 })], [20])).toContain(
    'the 36 participants on clean have 100 % of the frame rate and 0.1 points more loss than alone; those on poor-3g do not hurt them',
  );
  expect(sectionOf([alone, trial(20, { clean: 3, 'poor-3g': 9.7 }, ['3a', '4b'])], [20])).toContain(
    '2 of them failed a limit: with poor-3g beside them they are worse off',
  );
});

test('where congestion control leaves the rate to chance, it is said that no bitrate was judged', () => {
  const sentence = 'No bitrate was judged on poor-3g: where delays differ so much,';
  const uneven = { ...poor, up: { ...slow, jitterMs: 5 } };
  expect(sectionOf([alone], [], { networks: [clean, uneven] })).toContain(sentence);
  expect(sectionOf([alone], [], { networks: [clean, uneven], absoluteLimits: true })).not.toContain('bitrate');
  expect(sectionOf([alone], [])).not.toContain('bitrate');
  const later = { ...poor, up: {}, down: {}, steps: [{ atMs: 10_000, forMs: 1000, up: { jitterMs: 5 }, down: {} }] };
  expect(sectionOf([alone], [], { networks: [later] })).toContain(sentence);
});

test('what was lost on the way is told, at least what is known of it, and that the rest is unknown', () => {
  const lostIn = (...counts: readonly (number | undefined)[]) =>
    sectionOf(
      counts.map((overflow) => ({
        ...alone,
        network: { checks: [check], ...(overflow === undefined ? {} : { overflow }) },
      })),
      [],
    );
  expect(lostIn(0, 0)).not.toContain('Warning');
  expect(lostIn(3, 4)).toContain('Warning: 7 packets were lost because');
  expect(lostIn(3, undefined)).toContain('Warning: at least 3 packets were lost because');
  expect(lostIn(3, undefined)).toContain('in 1 trial it is unknown whether what shapes the links had time for every');
});

test('a run without networks says nothing of them', () => {
  const plan = planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' } });
  expect(networkSentences({ manifest: { plan }, records: [] } as unknown as FinishedRun, [])).toEqual([]);
});

test('where the link alone freezes the picture, it is said that trials differ by it', () => {
  const frozen = (percent: number): TrialRecord => {
    const record = trial(2, {});
    const streams = record.streams.map((one) => ({ ...one, values: { ...one.values, frozenPercent: percent } }));
    return { ...record, why: 'baseline', streams };
  };
  expect(sectionOf([frozen(46)], [])).toContain('Alone on poor-3g, the picture stood still 46 % of the time already');
  expect(sectionOf([frozen(46)], [])).not.toContain('Alone on clean');
  expect(sectionOf([frozen(2)], [])).not.toContain('stood still');
});
