/** What a row of the matrix shows, read from its stored run. */
import type { Sample } from '../../model/sample.js';
import type { MediaKind } from '../../model/scenario.js';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import type { VerdictKind } from '../../model/verdict.js';
import type { Cell, Player } from './matrix.js';

/** Figures of a row, in the order of its columns: unit, digits, and how far two kinds of probes may be apart. */
export const figures = {
  firstFrameMs: { title: 'first frame, ms', digits: 0, worst: 'most', apart: { more: 1000 } },
  audioPackets: { title: 'audio, packets/s', digits: 1, worst: 'mean', apart: { percent: 10 } },
  videoPackets: { title: 'video, packets/s', digits: 1, worst: 'mean', apart: { percent: 25 } },
  videoKbps: { title: 'video, kbit/s', digits: 0, worst: 'mean', apart: { percent: 25 } },
  fps: { title: 'fps', digits: 1, worst: 'least', apart: { percent: 10 } },
  frozenPercent: { title: 'frozen, %', digits: 1, worst: 'most', apart: { more: 2 } },
  lossPercent: { title: 'loss, %', digits: 1, worst: 'most', apart: { more: 1 } },
  jitterMs: { title: 'audio jitter, ms', digits: 1, worst: 'most', apart: { more: 10 } },
  discardedPercent: { title: 'discarded, %', digits: 1, worst: 'most', apart: { more: 2 } },
  mos: { title: 'MOS', digits: 2, worst: 'least', apart: { more: 0.3 } },
  rttMs: { title: 'round trip, ms', digits: 1, worst: 'most', apart: { more: 20 } },
  serverCores: { title: 'server, cores a participant', digits: 3, worst: 'mean', apart: { more: 0.05 } },
} as const;

export type FigureName = keyof typeof figures;
type Figures = Readonly<Partial<Record<FigureName, number>>>;
export const figureNames = Object.keys(figures) as readonly FigureName[];

/** `refused`: the tool says that this cannot be had. `failed`: the tool failed. */
export type RowVerdict = VerdictKind | 'refused' | 'failed';

export interface Row extends Cell {
  readonly verdict: RowVerdict;
  /** Of a refusal and of anything that is not stable: sentences. */
  readonly why: readonly string[];
  /** "4 of 4: 2 native, 2 encoded". */
  readonly joined?: string;
  readonly figures: Figures;
  readonly seconds: number;
}

/** What was measured of the row's own kind of probes; the browsers beside native ones are left out. */
export function figuresOf(record: TrialRecord, samples: readonly Sample[], player: Player): Figures {
  const own = new Set(
    record.probes.filter((probe) => player !== 'native' || probe.native === true).map((probe) => probe.participant.id),
  );
  const streams = record.streams.filter(({ probe }) => own.has(probe));
  const received = streams.filter(({ direction }) => direction === 'receive');
  const of = (kind: MediaKind) => received.filter((stream) => stream.kind === kind);
  const values = (list: readonly StreamSummary[], name: keyof StreamSummary['values']) =>
    list.flatMap(({ values: { [name]: value } }) => (value === undefined ? [] : [value]));
  const inWindow = samples.filter(({ probe, atMs }) => own.has(probe) && isWithin(atMs, record));
  const answers = record.arrivals?.answer.maxMs;
  const participants = record.arrivals?.presentMean ?? record.probesUp;
  const cores = record.load.serverCoresMean;
  const frames = record.probes.flatMap(({ join: { firstFrameMs } }) => firstFrameMs ?? []);
  const seen: Readonly<Record<FigureName, readonly number[]>> = {
    firstFrameMs: answers === undefined ? frames : [answers],
    audioPackets: packetRates(inWindow, 'audio'),
    videoPackets: packetRates(inWindow, 'video'),
    videoKbps: values(of('video'), 'bitrateKbps'),
    fps: values(of('video'), 'fps'),
    frozenPercent: values(of('video'), 'frozenPercent'),
    lossPercent: values(received, 'lossPercent'),
    jitterMs: values(of('audio'), 'jitterMs'),
    discardedPercent: values(of('audio'), 'discardedPercent'),
    mos: values(of('audio'), 'mos'),
    rttMs: values(streams, 'rttMs'),
    serverCores: cores === undefined || participants === 0 ? [] : [cores / participants],
  };
  return Object.fromEntries(
    figureNames.flatMap((name) => (seen[name].length === 0 ? [] : [[name, worstOf(name, seen[name])]])),
  );
}

export function joinedOf({ arrivals, probes, probesAsked, probesUp }: TrialRecord): string {
  if (arrivals !== undefined) return `${arrivals.answered} of ${arrivals.due}`;
  const kinds = probes.map(({ encoded, native }) => (native ? 'native' : encoded ? 'encoded' : 'full'));
  const counts = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  return `${probesUp} of ${probesAsked}: ${counts.join(', ')}`;
}

function worstOf(name: FigureName, values: readonly number[]): number {
  const { worst } = figures[name];
  if (worst === 'most') return Math.max(...values);
  if (worst === 'least') return Math.min(...values);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isWithin(atMs: number, { window }: TrialRecord): boolean {
  return window !== undefined && atMs > window.startMs && atMs <= window.endMs;
}

/** Packets a second of each received stream. */
function packetRates(samples: readonly Sample[], kind: MediaKind): readonly number[] {
  const sums = new Map<string, { packets: number; ms: number }>();
  for (const { probe, intervalMs, streams } of samples)
    for (const stream of streams) {
      const packets = stream.direction === 'receive' ? stream.metrics.packetsReceived : undefined;
      if (stream.kind !== kind || packets === undefined) continue;
      const key = `${probe} ${stream.leg} ${stream.stream ?? ''}`;
      const sum = sums.get(key) ?? { packets: 0, ms: 0 };
      sums.set(key, { packets: sum.packets + packets, ms: sum.ms + intervalMs });
    }
  return [...sums.values()].map(({ packets, ms }) => (1000 * packets) / ms);
}
