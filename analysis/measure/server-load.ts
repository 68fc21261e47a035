import type { TrialRecord } from '../../model/trial.js';
import { trialsAt } from '../judge/summary.js';
import type { FinishedRun } from '../search/result.js';

/** What a media server, or the TURN server before it, had no more of, at the smallest size that failed for it. */
export interface ServerExhaustion {
  readonly what: 'cpu' | 'up-link' | 'turn-cpu';
  readonly size: number;
  /** Cores, or Mbit/s: the highest mean of an unstable trial of this size, and what the server was given. */
  readonly used: number;
  readonly limit: number;
  /** Packets that the limit of the up-link dropped. */
  readonly dropped?: number;
}

/** A limit that is used to this share is the one that was met: the rest is the grain of the clock that measures it. */
const exhaustedShare = 0.95;

/** What the server ran out of, where it was given a known limit, at the sizes that failed. */
export function serverExhaustions(run: FinishedRun, failedSizes: readonly number[]): ServerExhaustion[] {
  const found = [...failedSizes]
    .sort((a, b) => a - b)
    .flatMap((size) => {
      const trials = trialsAt(run.records, size).filter(({ verdict }) => verdict.kind === 'unstable');
      return [
        cpuExhaustion(run, size, trials),
        linkExhaustion(run, size, trials),
        turnExhaustion(run, size, trials),
      ].flatMap((one) => one ?? []);
    });
  return (['cpu', 'up-link', 'turn-cpu'] as const).flatMap((what) => found.find((one) => one.what === what) ?? []);
}

function cpuExhaustion(
  { manifest }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const limit = manifest.server.cpuLimitCores;
  const used = highest(trials.flatMap(({ load }) => load.serverCoresMean ?? []));
  if (limit === undefined || used === undefined || used < exhaustedShare * limit) return undefined;
  return { what: 'cpu', size, used, limit };
}

function linkExhaustion(
  { manifest }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const limitBps = manifest.server.egressLimitBps;
  if (limitBps === undefined) return undefined;
  const limit = limitBps / 1e6;
  const full = trials.flatMap(({ load: { serverEgressMbpsMean: used = 0, serverEgressDropped: dropped = 0 } }) =>
    dropped > 0 && used >= exhaustedShare * limit ? { used, dropped } : [],
  );
  const [worst] = full.sort((a, b) => b.used - a.used);
  return worst && { what: 'up-link', size, limit, ...worst };
}

/** A relay can use as many cores as it has threads. */
function turnExhaustion(
  { manifest: { turn, host } }: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
): ServerExhaustion | undefined {
  const limit = Math.min(turn?.threads ?? Number.POSITIVE_INFINITY, host.cores);
  const used = highest(trials.flatMap(({ load }) => load.turnCoresMean ?? []));
  if (!turn?.sameHost || used === undefined || used < exhaustedShare * limit) return undefined;
  return { what: 'turn-cpu', size, used, limit };
}

export interface MemoryGrowth {
  readonly fromMb: number;
  readonly toMb: number;
  readonly fromTrial: number;
  readonly toTrial: number;
}

/** Before the third trial a server is still warming up: code is loaded, pools are filled. */
const warmUpTrials = 2;
const growthShare = 0.2;

/** Resident memory after the resets of a run, when it grew by more than a fifth and the server was not restarted between. */
export function memoryGrowth({ records }: FinishedRun): MemoryGrowth | undefined {
  const noted = records.slice(warmUpTrials).flatMap(({ index, reset }) => {
    const rssMb = reset?.restartMs === undefined ? reset?.rssMb : undefined;
    return rssMb === undefined ? [] : { index, rssMb };
  });
  const [first] = noted;
  const last = noted.at(-1);
  if (!first || !last || last.rssMb <= (1 + growthShare) * first.rssMb) return undefined;
  return { fromMb: first.rssMb, toMb: last.rssMb, fromTrial: first.index, toTrial: last.index };
}

/** Legs of forwarding sessions for which the server said that it transcodes; each trial's legs count anew. */
export function transcodedLegs({ records }: FinishedRun): number {
  return records.reduce((count, record) => count + transcodedIn(record).size, 0);
}

function transcodedIn({ probes, events }: TrialRecord): ReadonlySet<string> {
  const mixed = new Set(
    probes.flatMap(({ participant }) =>
      participant.legs.flatMap(({ id, from }) => (from !== undefined && 'mix' in from ? id : [])),
    ),
  );
  return new Set(
    events.flatMap((event) => {
      if (event.type !== 'server' || event.kind !== 'transcoding' || !event.begun) return [];
      return mixed.has(event.leg) ? [] : event.leg;
    }),
  );
}

function highest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values);
}
