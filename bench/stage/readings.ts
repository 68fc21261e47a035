import { setTimeout as sleep } from 'node:timers/promises';
import { readTreesPss } from '../../host/process-memory.js';
import type { ProbeHostReading, ServerReading } from '../../model/evidence.js';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import type { Sample, StreamSample } from '../../model/sample.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { CallStage } from './call-stage.js';

/** NaN of nothing. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** By then rates have grown and hot code is compiled: a probe's first half minute costs some tenth more. */
export const settleMs = 30_000;

export interface Watched {
  readonly host: readonly ProbeHostReading[];
  readonly server: readonly ServerReading[];
  readonly samples: readonly Sample[];
  readonly pssMb: number;
}

/** Memory is read before and after the seconds that are measured: reading it makes the kernel walk every page. */
export async function watchFor(seconds: number, stage: CallStage): Promise<Watched> {
  const before = await browsersPss(stage.folder);
  // The readings that are under way have seen the memory being read.
  await sleep(1000);
  const fromMs = Date.now();
  const from = stage.samples.length;
  await sleep(seconds * 1000);
  // A server that is too busy to tell has no reading in a second; its row says how busy the host was.
  const { probeHost, server } = stage.evidence();
  const isOurs = ({ atMs }: { readonly atMs: number }) => atMs > fromMs;
  const samples = stage.samples.slice(from);
  const pssMb = mean([before, await browsersPss(stage.folder)]);
  return { host: probeHost.filter(isOurs), server: server.filter(isOurs), samples, pssMb };
}

/** MiB of all browsers whose profiles lie in this folder. */
export function browsersPss(folder: string): Promise<number> {
  return readTreesPss((argument) => argument.startsWith(`--user-data-dir=${folder}`));
}

/** The mean per second over all streams that have the metric. */
export function perSecond(samples: readonly Sample[], of: (stream: StreamSample) => number | undefined): number {
  return mean(
    samples.flatMap(({ streams, intervalMs }) =>
      streams.flatMap((stream) => {
        const value = of(stream);
        return value === undefined ? [] : [(value * 1000) / intervalMs];
      }),
    ),
  );
}

/** A metric of streams of one direction and kind. */
export function metric(direction: StreamSample['direction'], kind: StreamSample['kind'], name: string) {
  return (stream: StreamSample): number | undefined => {
    if (stream.direction !== direction || stream.kind !== kind) return undefined;
    const metrics: Readonly<Partial<Record<string, number>>> = stream.metrics;
    return metrics[name];
  };
}

/** The mean of a metric that is a level (milliseconds, say) over all received streams of a kind that have it. */
export function gauge(samples: readonly Sample[], kind: StreamSample['kind'], name: string): number {
  const of = metric('receive', kind, name);
  return mean(samples.flatMap(({ streams }) => streams.flatMap((stream) => of(stream) ?? [])));
}

/** Times to first frame after its sources had started, ms, ascending; those without one are left out. */
export const firstFrames = (records: readonly ProbeRecord[]): number[] =>
  records.flatMap(({ join }) => firstFrameWaitMs(join) ?? []).sort((a, b) => a - b);
