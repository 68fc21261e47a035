import type { Evidence } from '../../model/evidence.js';
import type { Thresholds } from '../../model/plan.js';
import type { Manifest } from '../../model/run.js';
import type { Baseline, RecordedEnd, TrialRecord } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import type { FoldedWindow } from '../measure/folded-window.js';
import { SampleFold } from '../measure/sample-fold.js';
import { measuredFromMs } from '../measure/stays.js';
import type { TrialSamples } from '../measure/window.js';
import { judgedWindow } from './early-verdict.js';
import { type JudgeInput, joinedMs } from './judge-input.js';
import { judgeInput } from './judged-trial.js';
import { verdictOfTrial } from './trial-verdict.js';

export interface StoredTrial {
  readonly manifest: Manifest;
  readonly record: TrialRecord;
  readonly samples: TrialSamples;
  readonly evidence: Evidence;
  /** Of the trials before it; null for the first. */
  readonly baseline: Baseline | null;
}

/** Folds the samples of a stored trial, in their stored order, for judging by these thresholds. */
export function foldOfTrial(trial: Omit<StoredTrial, 'samples'>, thresholds: Thresholds): SampleFold {
  const { manifest, record } = trial;
  const participants = record.probes.map(({ participant }) => participant);
  const endMs = joinedMs({ events: record.events, load: manifest.plan.load });
  const fold = new SampleFold(
    participants,
    manifest.plan.search.strategy === 'ramp',
    endMs ?? Number.NEGATIVE_INFINITY,
  );
  const { window } = record;
  if (!window) return fold;
  const { samples: _, ...input } = inputOf({ ...trial, samples: fold }, thresholds);
  const judged = judgedWindow(input, window.startMs);
  fold.begin({ ...judged, ...startsOf(record, window.startMs), endMs: Math.min(window.endMs, judged.endMs) });
  return fold;
}

/** Where probes come and go, each is measured from a time of its own. */
function startsOf({ probes }: TrialRecord, windowStartMs: number): Pick<FoldedWindow, 'startOf'> {
  const comers = probes.flatMap(({ participant, there }) =>
    there ? [[participant.id, measuredFromMs(there.fromMs, windowStartMs)] as const] : [],
  );
  if (comers.length === 0) return {};
  const starts = new Map(comers);
  return { startOf: (probe) => (starts.has(probe) ? starts.get(probe) : windowStartMs) };
}

/**
 * Judges a stored trial again. The same thresholds give the same verdict, to the byte. A trial that was ended early, as
 * lost under its own limits, was not measured to its end: under limits that it may keep it is void.
 */
export function rejudgeTrial(trial: StoredTrial, thresholds: Thresholds): Verdict {
  const { record } = trial;
  const loaded = record.phases.some(({ phase }) => phase === 'join');
  return verdictOfTrial(endOf(record), loaded, inputOf(trial, thresholds));
}

function inputOf({ manifest, record, samples, evidence, baseline }: StoredTrial, thresholds: Thresholds): JudgeInput {
  // What was clear under its own limits says nothing under others: then its window is too short.
  const isOwn = JSON.stringify(thresholds) === JSON.stringify(manifest.plan.thresholds);
  const screened = isOwn ? record.screened : undefined;
  return judgeInput(manifest, { ...record, baseline, samples, evidence, end: endOf(record), screened }, thresholds);
}

function endOf({ end, verdict }: TrialRecord): RecordedEnd {
  const wasInterrupted = verdict.reasons.some(({ code }) => code === 'interrupted');
  return end ?? { kind: wasInterrupted ? 'interrupted' : 'complete' };
}
