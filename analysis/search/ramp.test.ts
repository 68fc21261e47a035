import { expect, test } from '@playwright/test';
import type { HeadroomLevel } from '../../model/headroom.js';
import type { TrialOutcome } from '../../model/run.js';
import { aServerThatHolds, aServerThatSays, Story } from '../../tests/search-story.js';
import { headroomOf, worstHeadroom } from '../judge/headroom.js';

const loss = (...used: number[]) => headroomOf(used.map((share) => 100 * share));

test('a metric’s level says how much of its threshold is used up', () => {
  expect([0, 0.79, 0.8, 0.89, 0.9, 0.96, 0.97, 1, 1.01].map((percent) => loss(percent))).toEqual([
    'bold',
    'bold',
    'moderate',
    'moderate',
    'cautious',
    'cautious',
    'no-more',
    'no-more',
    'back-off',
  ]);
});

test('a level counts when a tenth of the window’s samples reach it', () => {
  const calm = Array.from({ length: 19 }, () => 0.1);
  expect(loss(...calm, 5)).toBe('bold');
  expect(loss(...calm.slice(1), 5, 5)).toBe('back-off');
});

test('a metric without samples is not healthy, nor is a trial without metrics', () => {
  expect(loss()).toBe('back-off');
  expect(worstHeadroom([])).toBe('back-off');
  expect(worstHeadroom(['bold', 'cautious', 'moderate'])).toBe('cautious');
});

/** Its one metric rises with the load and crosses the threshold above `capacity`. */
function aServerFilling(capacity: number): Story {
  const levelAt = (size: number): HeadroomLevel => headroomOf([(100 * size) / capacity]);
  return new Story(
    (size): TrialOutcome =>
      size <= capacity ? { size, verdict: 'stable', headroom: levelAt(size) } : { size, verdict: 'unstable' },
    { strategy: 'ramp' },
  );
}

test('the ramp slows down near a threshold, stops before it and holds the load there', () => {
  const { history, answer } = aServerFilling(100).tell();
  const sizes = history.map((trial) => trial.size);
  expect(sizes.slice(-9)).toEqual([72, 82, 88, 94, 95, 96, 97, 97, 97]);
  expect(answer).toMatchObject({ outcome: 'found', stable: 97, unstable: null });
});

test('a size that fails while it is held gives way to the next lower one that passed', () => {
  aServerThatSays({ 1: '+', 2: '+', 3: '+++', 4: '+-', 5: '-' })
    .with({ strategy: 'ramp' })
    .tries(1, 2, 3, 4, 5, 4, 3, 3)
    .answers(3, 4, [4]);
});

/** Holds so much in short trials; held for long, it backs off above `calm` and fails above `lasting`. */
function aServerThatTires(capacity: number, calm: number, lasting: number): Story {
  return new Story(
    (size, _, step): TrialOutcome => {
      const held = step.holdMs === undefined ? {} : { held: true as const };
      if (size > (step.holdMs === undefined ? capacity : lasting)) return { size, verdict: 'unstable', ...held };
      const headroom = step.holdMs !== undefined && size > calm ? 'back-off' : size >= capacity ? 'no-more' : 'bold';
      return { size, verdict: 'stable', headroom, ...held };
    },
    { strategy: 'ramp', confirm: 1, holdMs: 600_000 },
  );
}

test('the edge is held for as long as asked, and gives way where that fails or a metric backs off', () => {
  aServerThatTires(5, 5, 5).tries(1, 2, 3, 4, 5, 5).ends('found', 5, null);
  // Above 3 a metric backs off: 5 is held for long and fails, 4 and 3 are held after it.
  aServerThatTires(5, 3, 4).tries(1, 2, 3, 4, 5, 5, 4, 3).ends('found', 3, 5, [5]);
  // Nothing fails, and 5 and 4 back off.
  aServerThatTires(5, 3, 5).tries(1, 2, 3, 4, 5, 5, 4, 3).ends('found', 3, null);
});

test('a ramp ends at the largest size allowed, and below the probes’ own limit', () => {
  aServerThatHolds(9).with({ strategy: 'ramp', max: 3 }).tries(1, 2, 3, 3, 3).ends('reached-max', 3, null);
  aServerThatHolds(9)
    .with({ strategy: 'ramp' })
    .whoseProbesCarry(2)
    .tries(1, 2, 3, 2, 2)
    .ends('probe-limited', 2, null);
});

test('a fixed list is tried in its order, each size until it is decided', () => {
  aServerThatSays({ 1: '+', 4: '+++', 8: '+-+-', 12: '--' })
    .with({ strategy: 'fixed', sizes: [8, 4, 12] })
    .tries(1, 8, 8, 8, 8, 4, 4, 4, 12, 12)
    .answers(4, 12, [8]);
});

test('a fixed list that holds throughout ends at its largest size', () => {
  aServerThatHolds(99)
    .with({ strategy: 'fixed', sizes: [4, 8], confirm: 1 })
    .tries(1, 4, 8)
    .ends('reached-max', 8, null);
});

test('sizes of a fixed list that exhaust the probes are left out', () => {
  aServerThatHolds(99)
    .with({ strategy: 'fixed', sizes: [9, 4, 12], confirm: 1 })
    .whoseProbesCarry(8)
    .tries(1, 9, 4)
    .ends('probe-limited', 4, null);
});
