import type { ServerReading } from '../../model/evidence.js';
import { givenTo } from '../../model/given-to.js';
import type { ServerFacts } from '../../model/run.js';

/** What a server said of itself, and what it said when it last told bytes. */
export interface Reading {
  readonly now: ServerReading;
  readonly before?: ServerReading;
}

/**
 * How busy a server is by its own evidence: the fullest of what there is known to be so much of (CPU, up-link), 0 to 1.
 * Absent where it tells of nothing whose bound is known.
 */
function shareInUse({ now, before }: Reading, facts: Partial<ServerFacts>): number | undefined {
  const cores = least([givenTo(facts).cores, now.cpuQuotaCores]);
  const cpu = cores === undefined || now.cpuCores === undefined ? [] : [now.cpuCores / cores];
  const mbps = before && now.egressBytes !== undefined ? rateBps(now.egressBytes, now.atMs - before.atMs) : undefined;
  const upLink = facts.egressLimitBps === undefined || mbps === undefined ? [] : [mbps / facts.egressLimitBps];
  const shares = [...cpu, ...upLink];
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/**
 * How busy each is, so that they can be compared: by what is in use of what there is where each tells that, else by
 * cores of CPU for each unit of weight. Absent of each where one tells neither.
 */
export function busyOfAll(
  readings: readonly (Reading | undefined)[],
  facts: readonly Partial<ServerFacts>[],
  weights: readonly number[],
): readonly (number | undefined)[] {
  const shares = readings.map((reading, nth) => reading && shareInUse(reading, facts[nth] ?? {}));
  if (!shares.includes(undefined)) return shares;
  const cores = readings.map((reading, nth) => reading?.now.cpuCores && reading.now.cpuCores / (weights[nth] ?? 1));
  return cores.includes(undefined) ? readings.map(() => undefined) : cores;
}

function rateBps(bytes: number, ms: number): number | undefined {
  return ms > 0 ? (8000 * bytes) / ms : undefined;
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
