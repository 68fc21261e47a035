import { type Media, mediaSchema, type Plan } from '../../model/plan.js';
import { probeKindNames, probeKindOf } from '../../model/probe-kinds.js';
import type { HostFacts, ServerFacts, TooManyProbes } from '../../model/run.js';
import { mean } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import type { HostPart } from './by-host.js';
import type { ProbeFault } from './probe-fault.js';

/** A host that was less busy than this in the window carries more now than when it was calibrated. */
const busyShare = 0.8;

/** What `calibrate` measures with: calls of two; probes of every other scenario cost something else. */
export const calibratedScenario = 'one-to-one';
const usualMedia = mediaSchema.parse({});

/**
 * What `loadline calibrate` found too many of holds for what it tried: 1:1 calls of the usual media, with the server on
 * the same host. Elsewhere the readings of this trial alone count.
 */
export function tooManyProbes({
  plan,
  server,
  host,
}: {
  readonly plan: Plan;
  readonly server: Pick<ServerFacts, 'sameHost'>;
  readonly host: Pick<HostFacts, 'tooManyProbes'>;
}): TooManyProbes | undefined {
  const usual = (Object.keys(usualMedia) as (keyof Media)[]).every((key) => plan.media[key] === usualMedia[key]);
  return plan.scenario === calibratedScenario && server.sameHost && usual ? host.tooManyProbes : undefined;
}

/** A failing trial with as many probes as were too many for a host, on a host that was busy, accuses nobody else. */
export function calibratedFault({ host, name, input: { tooMany, probes, evidence, window } }: HostPart): ProbeFault[] {
  if (!tooMany || !window) return [];
  const kinds = probeKindNames
    .map((word) => ({
      word,
      count: probes.filter((probe) => probeKindOf(probe) === word).length,
      most: tooMany[word],
    }))
    .filter(({ count }) => count > 0);
  const share = kinds.reduce((sum, { count, most }) => sum + (most === undefined ? 0 : count / most), 0);
  const readings = evidence.probeHost.filter(({ atMs }) => atMs >= window.startMs && atMs <= window.endMs);
  const busy = mean(readings.map(({ busyCores, cores }) => busyCores / cores));
  if (share < 1 || (busy !== undefined && busy < busyShare)) return [];
  const had = kinds.map(({ word, count }) => `${count} ${word}`).join(' and ');
  const known = kinds.flatMap(({ word, most }) => (most === undefined ? [] : `${most} ${word}`)).join(' or ');
  const state = busy === undefined ? '' : `, and ${numberNear(100 * busy)} % of its CPU was busy`;
  const text = `The probe host${name} had ${had} probes; ${known} alone were too many for it when it was calibrated${state}.`;
  const figures = { measured: 100 * share, limit: 100, unit: '%' };
  const named = probes.some((probe) => probe.host !== undefined) ? { host: host.id } : {};
  return [{ reason: { code: 'probe-cpu', ...named, text, ...figures }, spoils: 'blame', exhausted: true }];
}
