import type { Evidence } from '../../model/evidence.js';
import type { Thresholds } from '../../model/plan.js';
import type { Manifest } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { Baseline, RecordedEnd, TrialRecord } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import { judgeInput } from './judged-trial.js';
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
  const { probesAsked, probes, hosts, window, events, recordings } = record;
  const end = endOf(record);
  const loaded = record.phases.some(({ phase }) => phase === 'join');
  const seen = { baseline, probesAsked, probes, hosts, samples, window, evidence, events, recordings, end };
  return verdictOfTrial(end, loaded, judgeInput(manifest, seen, thresholds));
}

function endOf({ end, verdict }: TrialRecord): RecordedEnd {
  const wasInterrupted = verdict.reasons.some(({ code }) => code === 'interrupted');
  return end ?? { kind: wasInterrupted ? 'interrupted' : 'complete' };
}
