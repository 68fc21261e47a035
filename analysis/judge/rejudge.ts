import type { Evidence } from '../../model/evidence.js';
import type { Thresholds } from '../../model/plan.js';
import type { Manifest } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { Baseline, RecordedEnd, TrialRecord } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import { baselineOfStreams } from '../measure/baseline.js';
import { tooManyProbes } from './calibrated-host.js';
import { excusedNetworks } from './excused-networks.js';
import { verdictOfTrial } from './trial-verdict.js';

/** What a stored trial was judged by. */
export interface StoredTrial {
  readonly manifest: Manifest;
  readonly record: TrialRecord;
  readonly samples: readonly Sample[];
  readonly evidence: Evidence;
  /** Of the trials before it; null for the first. */
  readonly baseline: Baseline | null;
}

/**
 * Judges a stored trial again. The same thresholds give the same verdict, to the byte. A trial that was ended early, as
 * lost under its own limits, was not measured to its end: under limits that it may keep it is void.
 */
export function rejudgeTrial(trial: StoredTrial, thresholds: Thresholds): Verdict {
  const { manifest, record, samples, evidence, baseline } = trial;
  const end = endOf(record);
  const loaded = record.phases.some(({ phase }) => phase === 'join');
  return verdictOfTrial(end, loaded, {
    thresholds,
    baseline,
    media: manifest.plan.media,
    timing: manifest.plan.timing,
    mixedFps: manifest.server.abilities.mixedFps,
    networks: excusedNetworks(manifest.plan),
    probesAsked: record.probesAsked,
    probes: record.probes,
    samples,
    window: record.window,
    evidence,
    events: record.events,
    recordings: record.recordings,
    sameHost: manifest.server.sameHost,
    tooMany: tooManyProbes(manifest),
    interrupted: end.kind === 'interrupted',
    steers: manifest.plan.search.strategy === 'ramp',
    ...(manifest.turn ? { turnIsOurs: manifest.turn.ours } : {}),
  });
}

function endOf({ end, verdict }: TrialRecord): RecordedEnd {
  const wasInterrupted = verdict.reasons.some(({ code }) => code === 'interrupted');
  return end ?? { kind: wasInterrupted ? 'interrupted' : 'complete' };
}

/**
 * The yardstick of the trials after this one: the first stable trial of the run's first size gives it. Where the new
 * limits fail that trial, what it measured stays the yardstick, so that the others can still be judged.
 */
export function baselineAfter(
  known: Baseline | null,
  firstSize: number,
  record: TrialRecord,
  verdict: Verdict,
): Baseline | null {
  if (known || record.size !== firstSize) return known;
  if (verdict.kind !== 'stable' && record.verdict.kind !== 'stable') return null;
  return baselineOfStreams(
    record.streams,
    record.probes.map((probe) => probe.participant),
  );
}
