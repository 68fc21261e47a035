import type { FinishedRun } from '../../model/finished-run.js';
import type { Manifest, RunResult } from '../../model/run.js';
import { type Tally, talliesOf, type WorstThreshold, worstThresholds } from '../judge/summary.js';
import { trialsAt } from '../measure/trials-at.js';
import { runResult } from '../search/result.js';
import { type ClusterAccount, clusterAccount } from './cluster-account.js';
import { clusterSentences } from './cluster-sentences.js';
import { headline } from './headline.js';
import { type HostAccount, hostAccounts } from './host-accounts.js';
import { hostSentences } from './host-sentences.js';
import { type NextStep, nextSteps } from './next-steps.js';
import { patternSentences, patternsOf, type TrialPatterns } from './pattern-sentences.js';
import { exhaustionSentences } from './server-sentences.js';
import { failedSizes } from './shown-sizes.js';
import { trustSentences } from './trust-section.js';

export interface SizeOutcome extends Tally {
  /** Each limit at its worst trial and probe; empty when no trial of this size was judged. */
  readonly thresholds: readonly WorstThreshold[];
}

/** The document of `loadline report --format json`: that of `find --format json`, and what a report rests on. */
interface ReportDocument extends RunResult {
  readonly headline: string;
  readonly sizes: readonly SizeOutcome[];
  readonly trust: readonly string[];
  readonly ranOut: readonly string[];
  readonly nextSteps: readonly NextStep[];
  /** Trials in which faults cluster, and the same as sentences. */
  readonly patterns: readonly TrialPatterns[];
  readonly patternSentences: readonly string[];
  /** The probe hosts, and what is to be known of them; empty where all probes were on the conductor's own. */
  readonly hosts: readonly HostAccount[];
  readonly hostSentences: readonly string[];
  /** Of a run on several servers: what each had, and what they hold together; absent where it was on one. */
  readonly cluster?: ClusterAccount;
  readonly clusterSentences: readonly string[];
  /** What could not be read of the run directory. */
  readonly warnings: readonly string[];
  readonly manifest: Manifest;
}

export function reportDocument(run: FinishedRun, warnings: readonly string[]): ReportDocument {
  const cluster = clusterAccount(run);
  return {
    ...runResult(run),
    headline: headline(run),
    sizes: sizeOutcomes(run),
    trust: trustSentences(run),
    // Empty where nothing was full, so that programs can tell.
    ranOut: exhaustionSentences(run, failedSizes(run)),
    nextSteps: nextSteps(run),
    patterns: patternsOf(run.records),
    patternSentences: patternSentences(run),
    hosts: hostAccounts(run.records),
    hostSentences: hostSentences(run),
    ...(cluster ? { cluster } : {}),
    clusterSentences: clusterSentences(run),
    warnings,
    manifest: run.manifest,
  };
}

/** Ascending by size. */
export function sizeOutcomes({ records }: FinishedRun): SizeOutcome[] {
  return talliesOf(records).map((tally) => ({
    ...tally,
    thresholds: worstThresholds(trialsAt(records, tally.size)),
  }));
}
