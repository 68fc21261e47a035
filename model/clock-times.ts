import type { HostClock } from './probe-host.js';
import type { ClockTime, ForeignTime, ReceiveStreamSample, Sample, StreamSample } from './sample.js';

type Timed = ForeignTime['of'];

/** Drawn marks say when they were taken to within so much (`takenMsOf`). */
export const drawnRangeMs = 65_536;
/** Beyond that range less this, a time is taken for one that is still to come. */
export const drawnAheadMs = 1000;
/** Beyond these, somebody set a clock. */
export const leastMs = { delay: -5, shown: -50 } as const;
export const mostMs = 60_000;

type Bounded = ClockTime & { readonly boundMs: number };

/** What a receiver tells: metrics, or where some times are by another clock, what the conductor makes these of. */
export function withTimes(stream: ReceiveStreamSample, of: Timed, times: readonly ClockTime[]): ReceiveStreamSample {
  if (times.some(({ clock }) => clock !== undefined))
    return { ...stream, byClock: [...(stream.byClock ?? []), ...times.map((time) => ({ of, ...time }))] };
  const own = times.map((time) => ({ ...time, boundMs: 0 }));
  return { ...stream, metrics: { ...stream.metrics, ...metricsOf(of, own) } };
}

/**
 * The sample with all times by one clock. Those of a clock that nobody knows are left out.
 *
 * @param clockOf by its name in marks, or of the host of the sample
 */
export function byOneClock(sample: Sample, clockOf: (mark?: number) => HostClock | undefined): Sample {
  if (!sample.streams.some((stream) => stream.direction === 'receive' && stream.byClock)) return sample;
  const here = clockOf() ?? conductors;
  const streams = sample.streams.map((stream): StreamSample => {
    if (stream.direction !== 'receive' || !stream.byClock) return stream;
    const { byClock, metrics, ...rest } = stream;
    const known = byClock.flatMap((time) => {
      const there = time.clock === undefined ? here : clockOf(time.clock);
      return there ? setRight(time, here, there) : [];
    });
    const [delay, shown] = (['delay', 'shown'] as const).map((of) =>
      metricsOf(
        of,
        known.filter((time) => time.of === of),
      ),
    );
    return { ...rest, metrics: { ...metrics, ...delay, ...shown } };
  });
  return { ...sample, streams: streams.map((stream) => withSync(stream, streams)) };
}

const conductors: HostClock = { offsetMs: 0, boundMs: 0 };

/** Of a sender there; nothing where it cannot be. */
function setRight(time: ForeignTime, here: HostClock, there: HostClock): (ForeignTime & Bounded)[] {
  const { of, clock } = time;
  if (clock === undefined) return [{ ...time, boundMs: 0 }];
  const boundMs = here.boundMs + there.boundMs;
  const told = time.meanMs + here.offsetMs - there.offsetMs;
  const turns = of === 'shown' ? Math.floor((told + drawnAheadMs) / drawnRangeMs) : 0;
  const meanMs = told - drawnRangeMs * turns;
  const maxMs = meanMs + time.maxMs - time.meanMs;
  return meanMs + boundMs < leastMs[of] || maxMs > mostMs ? [] : [{ ...time, meanMs, maxMs, boundMs }];
}

function metricsOf(of: Timed, times: readonly Bounded[]): ReceiveStreamSample['metrics'] {
  const count = times.reduce((sum, time) => sum + time.count, 0);
  if (count === 0) return {};
  const boundMs = Math.max(...times.map((time) => time.boundMs));
  return {
    [`${of}Ms`]: times.reduce((sum, time) => sum + time.count * time.meanMs, 0) / count,
    [`${of}MaxMs`]: Math.max(...times.map(({ maxMs }) => maxMs)),
    ...(boundMs > 0 ? { delayBoundMs: boundMs } : {}),
  };
}

/** By how much the sound of the same source came later than its pictures. */
export function withSync(stream: StreamSample, all: readonly StreamSample[]): StreamSample {
  if (stream.direction !== 'receive' || stream.kind !== 'video' || stream.metrics.delayMs === undefined) return stream;
  const sound = all.find(
    (one) =>
      one.direction === 'receive' && one.kind === 'audio' && one.leg === stream.leg && one.stream === stream.stream,
  );
  const soundMs = sound?.direction === 'receive' ? sound.metrics.delayMs : undefined;
  if (soundMs === undefined) return stream;
  return { ...stream, metrics: { ...stream.metrics, soundLaterMs: soundMs - stream.metrics.delayMs } };
}
