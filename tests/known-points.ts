import { labelOf } from '../analysis/judge/threshold-label.js';
import type { ThresholdId } from '../model/threshold-id.js';
import type { DataPoint } from '../store/points/data-point.js';
import { evidencePoints } from '../store/points/sample-points.js';

const run = { run: 'r', scenario: 's', server: 'v' };
const trial = (nth: number) => ({ ...run, trial: String(nth) });
const received = { direction: 'receive', kind: 'video', session: '1', role: 'caller' } as const;

/**
 * A minute from `fromMs` of two trials, in numbers that can be added up by hand. The second has fewer probes.
 * Three probes are read a second: a sender of three layers, and a receiver of three videos, one of which starves. One
 * of two probe hosts is full. The server is read every other second. Two runs have answers.
 */
export function knownPoints(fromMs: number): readonly DataPoint[] {
  const at = (second: number) => fromMs + second * 1000;
  const seconds = [...Array(50).keys()].map((second) => second + 2);
  const hosts = seconds.flatMap((second) =>
    [
      { host: 'a', busyCores: 0.8, probeCores: 0.5 },
      { host: 'b', busyCores: 4, probeCores: 3 },
    ].map((own) => ({ ...own, atMs: at(second), cores: 4, stealCores: 0, memoryAvailableMb: 900 })),
  );
  const server = seconds
    .filter((second) => second % 2 === 0)
    .map((second) => ({ atMs: at(second), egressBytes: second === 2 ? 90_000_000 : 250_000 }));
  return [
    ...seconds.flatMap((second) => secondOf(at(second))),
    ...evidencePoints(trial(2), { probeHost: hosts, server }),
    ...[10, 12].map((stable, nth) => ({
      measurement: 'loadline_run',
      tags: { ...run, run: `r${nth}`, outcome: 'limit' },
      fields: { stable, trials: 9 },
      isOfSecond: false,
      atMs: at(20 + nth),
    })),
    ...limits(1, at(54), { late: 120, shown: 700, sound: 90, foreign: 0, still: 0, level: 0.2 }),
    ...limits(2, at(56), { late: 450, shown: 900, sound: 95, foreign: 50, still: 30, level: 0 }),
    ...window(1, at(54), { '1a': { x: 500, y: 500, z: 500 }, '2a': { x: 800 } }),
    ...window(2, at(56), { '1a': { x: 600, y: 50, z: 700 } }),
  ];
}

/** What was read at one time. */
function secondOf(atMs: number): readonly DataPoint[] {
  const tags = { ...trial(2), probe: '1a', leg: '1a' };
  const stream = (own: DataPoint['tags'], bitrateKbps: number, delayMs?: number): DataPoint => ({
    measurement: 'loadline_stream',
    tags: { ...tags, ...received, ...own },
    fields: { bitrateKbps, delayMs },
    isOfSecond: true,
    atMs,
  });
  const probes = ['1a', '1b', '2a'].map((probe) => ({
    measurement: 'loadline_probe',
    tags: { ...trial(2), probe, role: 'caller' },
    fields: { intervalMs: 1000 },
    isOfSecond: true,
    atMs,
  }));
  const sent = { l: 150, m: 500, h: 1700 };
  return [
    ...probes,
    ...Object.entries(sent).map(([layer, kbps]) => stream({ direction: 'send', stream: layer, layer }, kbps)),
    stream({ stream: 'x', layer: 'high' }, 1000, 100),
    ...['y', 'z', 'w'].map((name) => stream({ stream: name, layer: 'low' }, 200, 20)),
  ];
}

/** The ends of a trial, with the bit rate of each stream of each probe. */
function window(nth: number, atMs: number, kbps: Readonly<Record<string, Record<string, number>>>): DataPoint[] {
  const streams = Object.entries(kbps).flatMap(([probe, of]) =>
    Object.entries(of).map(([stream, bitrateKbps]) => ({
      measurement: 'loadline_stream_trial',
      tags: { ...trial(nth), ...received, probe, leg: probe, stream, layer: stream === 'x' ? 'high' : 'low' },
      fields: { size: 1, bitrateKbps },
      isOfSecond: false,
      atMs,
    })),
  );
  const end = { measurement: 'loadline_trial', tags: { ...trial(nth), verdict: 'stable' }, fields: { size: nth } };
  return [{ ...end, isOfSecond: false, atMs }, ...streams];
}

const delay = {
  ...{ of: 'stream', aggregate: 'delayP95Ms', kind: 'video', direction: 'receive', comparison: 'at-most' },
} as const satisfies ThresholdId;

/** What people notice, in a trial: at the worst stream of each limit. */
function limits(
  nth: number,
  atMs: number,
  worst: Readonly<Record<'late' | 'shown' | 'sound' | 'foreign' | 'still' | 'level', number>>,
): DataPoint[] {
  const rows = [
    ['late-picture', labelOf(delay), worst.late, 400],
    ['late-picture', 'time until a picture is shown, p95', worst.shown, 1000],
    ['late-sound', 'delay of sound, p95', worst.sound, 400],
    ['wrong-picture', 'pictures of another sender', worst.foreign, 1],
    ['wrong-sound', 'sound of another sender', 0, 1],
    ['still-picture', 'the same picture again', worst.still, 10],
    ['blank-picture', 'pictures of one colour', 0, 10],
    ['silent-sound', 'level of forwarded sound, mean', worst.level, 0.001],
  ] as const;
  return rows.map(([code, label, reached, limit], row) => ({
    measurement: 'loadline_threshold',
    tags: { ...trial(nth), code },
    fields: { size: nth, label, worst: reached, limit },
    isOfSecond: false,
    atMs,
    nth: row,
  }));
}

/** Two failures in one trial, as a page of metrics shows their count at each of `reads` readings from `fromMs`. */
export function knownFailures(fromMs: number, reads: number): readonly DataPoint[] {
  return [...Array(reads).keys()].map((second) => ({
    measurement: 'loadline_events',
    tags: { ...trial(1), type: 'probe-failed' },
    fields: { total: second < 10 ? 1 : 2 },
    isOfSecond: false,
    atMs: fromMs + second * 1000,
  }));
}
