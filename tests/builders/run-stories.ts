import type { FinishedRun } from '../../model/finished-run.js';
import { once } from '../once.js';
import { aProbe } from './probe-builder.js';
import { aRecord, aRun } from './run-builder.js';
import { calls, withProbes } from './trial-builder.js';

const starvedFour = () =>
  withProbes(
    calls(4),
    aProbe('4b').receivesVideo({ kbps: 212, fps: 14, lossPercent: 6.2, freezeMs: (second) => (second % 6 ? 0 : 600) }),
    aProbe('3a').receivesVideo({ lossPercent: 1.8 }).receivesAudio({ lossPercent: 2.2 }),
  );
const full = () => ({ busyCores: 3.96, probeCores: 3.5 });

const baseline = once(() => aRecord(calls(1), { index: 1, size: 1, baseline: null, why: 'baseline' }));
const holds = (size: number, index: number) =>
  aRecord(withProbes(calls(size), aProbe('2b').receivesVideo({ lossPercent: 0.7, fps: 29 })), { index, size });
const fails = (index: number) => aRecord(starvedFour(), { index, size: 4, load: { serverCoresMean: 0.21 } });
const exhausted = () => aRecord(starvedFour(), { index: 3, size: 4, host: full });
const found = once(() => [baseline(), holds(2, 2), fails(3), holds(3, 4), holds(3, 5), holds(3, 6), fails(7)]);
const dead = () => withProbes(calls(1), aProbe('1b').lacks('receive', 'video'));
const bad = () => aRecord(dead(), { index: 1, size: 1, baseline: null, why: 'baseline' });

/** One for each way to end. */
const stories = {
  found: () => aRun(found(), { outcome: 'found', stable: 3, unstable: 4 }),
  flaky: () =>
    aRun([baseline(), holds(2, 2), holds(3, 3), fails(4), holds(4, 5), { ...fails(6), size: 5 }], {
      outcome: 'found',
      stable: 3,
      unstable: 5,
      flaky: [4],
    }),
  probeLimited: () =>
    aRun([baseline(), holds(2, 2), exhausted()], {
      outcome: 'probe-limited',
      stable: 2,
      because: '2 was stable in 1 of 1 trials. At 4 the probes ran out, so nothing is known from there on.',
    }),
  reachedMax: () =>
    aRun(
      [baseline(), holds(8, 2)],
      { outcome: 'reached-max', stable: 8 },
      { kind: 'kurento', nature: 'product', name: 'kurento 7.3.0', sameHost: false },
    ),
  baselineUnstable: () =>
    aRun([bad()], {
      outcome: 'baseline-unstable',
      stable: 0,
      unstable: 1,
      because: 'The baseline of 1 was unstable, so no larger size can mean anything.',
    }),
  nothing: () =>
    aRun([aRecord(calls(1), { index: 1, size: 1, baseline: null, interrupted: true })], {
      outcome: 'void',
      stable: 0,
      because: 'The run was interrupted before anything was known.',
    }),
  tried: () => {
    const records = [baseline(), aRecord(starvedFour(), { index: 2, size: 4, why: 'fixed' })];
    const run = aRun(records, { outcome: 'found', stable: 1, unstable: 4 });
    return { ...run, manifest: { ...run.manifest, command: ['loadline', 'try', 'one-to-one', '--size', '4'] } };
  },
  simulated: () =>
    aRun(
      found(),
      { outcome: 'found', stable: 3, unstable: 4 },
      { kind: 'simulated', nature: 'simulated', name: 'simulated' },
    ),
};

export type StoryName = keyof typeof stories;
export const storyNames = Object.keys(stories) as readonly StoryName[];

const told = new Map<StoryName, FinishedRun>();

/**
 * A run as a story, judged when it is first asked for: a file of tests is loaded more often than each of its tests
 * runs.
 */
export function runStory(name: StoryName): FinishedRun {
  const run = told.get(name) ?? stories[name]();
  told.set(name, run);
  return run;
}
