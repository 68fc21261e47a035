import { expect, test } from '@playwright/test';
import { summariseStreams, type TimeWindow } from '../analysis/measure/window.js';
import type { Sample } from '../model/sample.js';
import type { Leg, Participant } from '../model/scenario.js';
import type { StatsReport } from '../probes/page/stats-report.js';
import { streamSamples } from '../probes/page/stream-samples.js';
import { both, times } from './effort.js';
import {
  historyMs,
  type ReceivedHistory,
  receivedHistory,
  receivedStats,
  type SentHistory,
  sentHistory,
  sentStats,
} from './packet-history.js';
import { randomFrom } from './random.js';

/**
 * The truth is made first, packet by packet; then what getStats would have said of it; then what is told of that. Each
 * aggregate must be within the error that docs/lab/measuring.md states ("How far a number can be off").
 */
const histories = times(8, 100);

const participant = (leg: Leg): Participant => ({ id: '1a', session: '1', role: 'caller', legs: [leg] });
const sends: Leg = { id: '1a', sends: ['video'], receives: [] };
const receives: Leg = { id: '1a', sends: [], receives: ['video'], from: { participant: '1b' } };

/** Readings about each second, some of them late, through the code of the page. */
function samplesOf(leg: Leg, seed: number, statsAt: (ms: number) => StatsReport): Sample[] {
  const random = randomFrom(seed);
  const samples: Sample[] = [];
  let last: { readonly atMs: number; readonly report: StatsReport } | undefined;
  for (let second = 1; second * 1000 < historyMs; second += 1) {
    const atMs = second * 1000 + (random() < 0.1 ? 300 * random() : 20 * random());
    const report = statsAt(atMs);
    if (last) {
      const streams = streamSamples(leg, last.report, report, { ageMs: atMs });
      samples.push({ probe: '1a', atMs, intervalMs: atMs - last.atMs, lateMs: 0, legs: [], streams });
    }
    last = { atMs, report };
  }
  return samples;
}

function randomWindow(seed: number): TimeWindow {
  const random = randomFrom(seed * 31);
  const startMs = 5000 + 40_000 * random();
  return { startMs, endMs: startMs + 12_000 + 30_000 * random() };
}

function told(leg: Leg, samples: readonly Sample[], window: TimeWindow) {
  return summariseStreams(samples, [participant(leg)], window)[0]?.values ?? {};
}

/** What the window's whole readings cover. */
function measured(samples: readonly Sample[], { startMs, endMs }: TimeWindow) {
  const inside = samples.filter(({ atMs, intervalMs }) => atMs - intervalMs >= startMs && atMs <= endMs);
  return {
    fromMs: Math.min(...inside.map(({ atMs, intervalMs }) => atMs - intervalMs)),
    toMs: Math.max(...inside.map(({ atMs }) => atMs)),
    edges: inside,
  };
}

const within = (atMs: number, { fromMs, toMs }: { fromMs: number; toMs: number }) => atMs > fromMs && atMs <= toMs;

/** Between the report before the window's first one and its last: what they count, as the sender knows it. */
function reported(history: SentHistory, { fromMs, toMs }: { fromMs: number; toMs: number }) {
  const { reports, packets, rttMs } = history;
  // Of several reports in one reading only the last is seen.
  const come = reports.filter(({ arrivesMs }) => arrivesMs > fromMs && arrivesMs <= toMs);
  const before = reports.filter(({ arrivesMs }) => arrivesMs <= fromMs).at(-1);
  const last = come.at(-1);
  if (!before || !last) return undefined;
  const ended = (atMs: number) => atMs - rttMs / 2;
  const sent = packets.filter(({ atMs }) => within(atMs, { fromMs: ended(before.leftMs), toMs: ended(last.leftMs) }));
  const isOpen = (edgeMs: number) => (packet: SentHistory['packets'][number]) =>
    packet.isLost && packet.atMs <= edgeMs && packet.atMs > edgeMs - 2000 && (packet.againMs ?? 0) > edgeMs;
  /** Lost at an edge and repaired beyond it, or not yet seen to be missing. */
  const tail = (edgeMs: number) =>
    packets.filter(isOpen(edgeMs)).length + trailingLosses(packets.filter(({ atMs }) => atMs <= edgeMs));
  const open = tail(ended(before.leftMs)) + tail(ended(last.leftMs));
  return { lost: sent.filter(({ isLost, againMs }) => isLost && againMs === undefined).length, sent, open };
}

/** Of any two reports that may be the ends of a run: what they say was lost, of what was surely sent between them. */
function worstBetweenReports({ reports, packets, mostPerSecond, rttMs }: SentHistory): number {
  const edgePackets = mostPerSecond * (1.3 + rttMs / 1000);
  let worst = 0;
  for (const [index, first] of reports.entries()) {
    for (const last of reports.slice(index + 1).filter(({ leftMs }) => leftMs - first.leftMs >= 4500 - 1300)) {
      const sent = packets.filter(({ atMs }) => within(atMs, { fromMs: first.leftMs, toMs: last.leftMs })).length;
      worst = Math.max(worst, (100 * (last.lost - first.lost)) / Math.max(1, sent - edgePackets));
      if (last.leftMs - first.leftMs > 15_000) break;
    }
  }
  return Math.min(100, worst);
}

function trailingLosses(packets: SentHistory['packets']): number {
  return packets.length - 1 - packets.findLastIndex(({ isLost }) => !isLost);
}

test(
  'loss on the way up is that of the packets that the reports cover, but for a second and half a round trip',
  both,
  () => {
    let compared = 0;
    for (let seed = 1; seed <= histories; seed += 1) {
      const history = sentHistory(seed);
      const samples = samplesOf(sends, seed, (ms) => sentStats(history, ms));
      const window = randomWindow(seed);
      const values = told(sends, samples, window);
      const truth = reported(history, measured(samples, window));
      if (!truth) {
        expect(values, `seed ${seed}`).not.toHaveProperty('lossPercent');
        continue;
      }
      compared += 1;
      const percent = (100 * truth.lost) / truth.sent.length;
      // Reports are seen up to 1.3 s after they came, when the page reads the next time, at either end.
      const edgePackets = history.mostPerSecond * (1.3 + history.rttMs / 1000);
      const error =
        (percent * edgePackets) / (truth.sent.length - edgePackets) + (120 * truth.open) / truth.sent.length;
      expect(truth.sent.length, `seed ${seed}`).toBeGreaterThan(edgePackets);
      expect(Math.abs((values.lossPercent ?? Number.NaN) - percent), `seed ${seed}`).toBeLessThanOrEqual(error + 1e-9);
    }
    expect(compared).toBeGreaterThan(histories / 2);
  },
);

test(
  'the worst 5 s on the way up are a burst as the reports about it hold it, and no worse than any of them say',
  both,
  () => {
    for (let seed = 1; seed <= histories; seed += 1) {
      const history = sentHistory(seed);
      const samples = samplesOf(sends, seed, (ms) => sentStats(history, ms));
      const { fromMs, toMs } = measured(samples, randomWindow(seed));
      const { worstLossPercent5s: worst } = told(sends, samples, randomWindow(seed));
      if (worst === undefined) continue;
      const longestMs = Math.max(history.longestReportMs, 1300) + 1300;
      let most = 0;
      for (let startMs = fromMs; startMs + 5000 <= toMs - longestMs; startMs += 500) {
        const burst = history.packets.filter(({ atMs }) => within(atMs, { fromMs: startMs, toMs: startMs + 5000 }));
        most = Math.max(most, burst.filter(({ isLost, againMs }) => isLost && againMs === undefined).length);
      }
      // A stretch of 5 s lies in two runs of reports, each 4.5 s and the length of a report wide at most.
      const spread = 2 * (history.mostPerSecond * ((4500 + longestMs) / 1000));
      expect(worst, `seed ${seed}`).toBeGreaterThanOrEqual((100 * (most - 3)) / spread);
      expect(worst, `seed ${seed}`).toBeLessThanOrEqual(worstBetweenReports(history) + 1e-9);
    }
  },
);

test('round trips are within what reports measure, and those that wrapped are left out and counted', both, () => {
  let wraps = 0;
  for (let seed = 1; seed <= histories; seed += 1) {
    const history = sentHistory(seed);
    const { rttMs, rttNoiseMs, reports } = history;
    const samples = samplesOf(sends, seed, (ms) => sentStats(history, ms));
    const values = told(sends, samples, randomWindow(seed));
    const { edges } = measured(samples, randomWindow(seed));
    const wrapped = edges.filter(
      ({ atMs, intervalMs }) =>
        reports.filter(({ arrivesMs }) => within(arrivesMs, { fromMs: atMs - intervalMs, toMs: atMs })).at(-1)
          ?.isWrapped,
    ).length;
    wraps += wrapped;
    expect(values.roundTripsDropped ?? 0, `seed ${seed}`).toBe(wrapped);
    for (const value of [values.rttMs, values.rttP95Ms]) {
      if (value !== undefined) expect(Math.abs(value - rttMs), `seed ${seed}`).toBeLessThanOrEqual(rttNoiseMs + 1e-6);
    }
  }
  expect(wraps).toBeGreaterThan(times(1, 20));
});

test(
  'what is received is told of the whole seconds in the window: rates exactly, jitter but for its change in one',
  both,
  () => {
    for (let seed = 1; seed <= histories; seed += 1) {
      const history = receivedHistory(seed);
      const samples = samplesOf(receives, seed, (ms) => receivedStats(history, ms));
      const window = randomWindow(seed);
      const span = measured(samples, window);
      const values = told(receives, samples, window);
      const seconds = (span.toMs - span.fromMs) / 1000;
      const came = history.packets.filter(({ atMs, isLost }) => !isLost && within(atMs, span)).length;
      expect(values.bitrateKbps, `seed ${seed}`).toBeCloseTo((came * 900 * 8) / 1000 / seconds, 6);
      expect(values.fps).toBeCloseTo(history.framesMs.filter((ms) => within(ms, span)).length / seconds, 6);
      expect(Math.abs((values.jitterMs ?? 0) - meanJitter(history, span)), `seed ${seed}`).toBeLessThanOrEqual(
        1.3 * history.jitterPerSecond + 1e-9,
      );
      expect(Math.abs((values.frozenPercent ?? 0) - frozenTruth(history, span)), `seed ${seed}`).toBeLessThanOrEqual(
        (100 * 2.6) / seconds,
      );
      // The window may begin up to a reading before its first whole one.
      expect(span.fromMs - window.startMs).toBeLessThan(1400);
    }
  },
);

test(
  'loss of what is received is that after resending, with RTX and without, but for repairs across an edge',
  both,
  () => {
    for (let seed = 1; seed <= histories; seed += 1) {
      const history = receivedHistory(seed);
      const samples = samplesOf(receives, seed, (ms) => receivedStats(history, ms));
      const span = measured(samples, randomWindow(seed));
      const values = told(receives, samples, randomWindow(seed));
      const packets = history.packets.filter(({ atMs }) => within(atMs, span));
      const lost = packets.filter(({ isLost, againMs }) => isLost && againMs === undefined).length;
      const across = history.packets.filter(
        ({ atMs, againMs }) =>
          againMs !== undefined && [span.fromMs, span.toMs].some((edgeMs) => atMs <= edgeMs && againMs > edgeMs),
      ).length;
      const error = (100 * across) / packets.length;
      expect(Math.abs((values.lossPercent ?? 0) - (100 * lost) / packets.length), `seed ${seed}`).toBeLessThanOrEqual(
        error * 1.1 + 1e-9,
      );
      expect(values.worstLossPercent5s ?? 0).toBeGreaterThanOrEqual((100 * (lost - across)) / packets.length / 2);
    }
  },
);

function meanJitter({ jitterAt }: ReceivedHistory, { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  const steps = 2000;
  const at = (step: number) => jitterAt(fromMs + ((step + 0.5) * (toMs - fromMs)) / steps);
  return Array.from({ length: steps }, (_, step) => at(step)).reduce((sum, value) => sum + value, 0) / steps;
}

function frozenTruth({ freezes }: ReceivedHistory, { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  const frozenMs = freezes.reduce(
    (sum, freeze) => sum + Math.max(0, Math.min(freeze.toMs, toMs) - Math.max(freeze.fromMs, fromMs)),
    0,
  );
  return (100 * frozenMs) / (toMs - fromMs);
}
