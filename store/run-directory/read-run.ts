import { join, resolve } from 'node:path';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { LoadlineError } from '../../model/errors.js';
import type { Evidence } from '../../model/evidence.js';
import { plainCopy } from '../../model/plain-text.js';
import type { Manifest, RunResult } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';
import { type AbsentFiles, absentFiles, absentSentences } from './absent-files.js';
import { readArtifacts } from './artifact-files.js';
import { visitCompressedLines, visitJsonLines } from './json-lines.js';
import { layout, samplesFile } from './layout.js';
import { assertOwnRun, type RunTrust } from './own-run.js';
import { readEvidence } from './read-evidence.js';
import { checked, damaged, readManifest, readResult, TrialSeals, unsealedSentence } from './read-sealed.js';
import { boundsOf, Kept, type RunBounds } from './run-bounds.js';
import { type TrialSeal, withoutSeal } from './seal.js';
import { parseSampleLine, parseTrialRecord } from './stored-shapes.js';
import { thinnedSentence } from './thin-run.js';
import { assertSealed, isNotJson, type Torn, type TrialFiles } from './trial-files.js';

export interface StoredRun {
  readonly directory: string;
  readonly manifest: Manifest;
  /** Every trial that was stored whole, in the order of execution. */
  readonly records: readonly TrialRecord[];
  /** What `--format json` printed; absent when the run did not come to its end. */
  readonly result: RunResult | undefined;
  /** What is missing or torn, each a sentence; empty for a whole run. */
  readonly warnings: readonly string[];
  /** A sentence when samples were removed since, so that it cannot be judged again. */
  readonly thinned?: string;
  /** What records rest on and is not there, thinned or removed. */
  readonly absent: AbsentFiles;
  /** Every sample of a trial up to a tear, in order of arrival. Each reading throws E_RUN for a changed file. */
  readSamples(trialIndex: number): Promise<Torn<Sample[]>>;
  /**
   * The same part after part, for trials that do not fit into memory. Resolves with the warning of a tear. A line that
   * is not JSON throws E_RUN, or ends the reading like a tear where that is asked for.
   */
  visitSamples(trialIndex: number, visit: VisitSamples, damaged?: DamagedLine): Promise<string | undefined>;
  /** Where the samples of a trial lie, and the digest of their text that it was sealed with. */
  samplesAt(trialIndex: number): { readonly path: string; readonly digest?: string };
  readEvidence(trialIndex: number): Promise<Torn<Evidence>>;
  /** What was kept of probes that failed. */
  readArtifacts(trialIndex: number): Promise<readonly ProbeArtifacts[]>;
}

type VisitSamples = (samples: readonly Sample[]) => void | Promise<void>;

/** No kill damages a line in the middle, so nothing after it is believed. */
type DamagedLine = 'throws' | 'ends';

/**
 * Reads a run directory back, a killed run's too. A record torn by a kill is left out and named in `warnings`. Samples
 * and evidence are read when asked for, and held to their seals then. Throws E_RUN for a folder that holds no run, a
 * format other than today's, and a file that is not as it was written, E_RUN_FOREIGN for another user's.
 */
export async function readRun(path: string, trust: RunTrust = 'own'): Promise<StoredRun> {
  const directory = resolve(path);
  await assertOwnRun(directory, trust);
  const { manifest, seal } = await readManifest(directory);
  const bounds = boundsOf(trust);
  const trials = new TrialSeals(seal);
  const { records, tear } = await readTrials(directory, trials, bounds);
  const thinned = await thinnedSentence(directory, seal);
  const absent = await absentFiles(directory, records, trials.seals);
  const stands = [
    tear === undefined ? [] : `${layout.trials} ${tear}; that trial is left out.`,
    unsealedSentence(trials.seals, seal) ?? [],
    thinned ?? [],
    absentSentences(absent, thinned !== undefined),
  ];
  return {
    directory,
    manifest,
    records,
    result: await readResult(directory, seal, trials),
    warnings: stands.flat(),
    absent,
    ...(thinned === undefined ? {} : { thinned }),
    ...filesOf(directory, sealOfTrial(records, trials.seals), bounds),
  };
}

/** Each line is held to its seal, understood and then forgotten, so that no trial is in memory twice. */
async function readTrials(
  directory: string,
  seals: TrialSeals,
  bounds: RunBounds,
): Promise<{ readonly records: readonly TrialRecord[]; readonly tear?: string }> {
  const path = join(directory, layout.trials);
  const kept = new Kept(path, bounds.kept);
  const records: TrialRecord[] = [];
  const take = (value: unknown, number: number) => {
    const read = () => {
      seals.check(value);
      return parseTrialRecord(plainCopy(withoutSeal(value)));
    };
    records.push(checked(`${layout.trials}:${number}`, read));
  };
  const options = { bounds: bounds.trials, before: (line: string) => kept.add(line) };
  const { tear, damagedLine, missing } = await visitJsonLines(path, take, options);
  if (missing) {
    throw new LoadlineError('E_RUN', `${layout.trials} of the stored run is missing.`, {
      where: path,
      why: 'it holds every trial of the run, and nothing can be said without it',
      todo: 'put the file back from a copy, or run again',
    });
  }
  if (damagedLine !== undefined) throw damaged(`${layout.trials}:${damagedLine}`, 'it is not JSON');
  return tear === undefined ? { records } : { records, tear };
}

type SealOf = (trialIndex: number) => TrialSeal | undefined;

function sealOfTrial(records: readonly TrialRecord[], seals: readonly (TrialSeal | undefined)[]): SealOf {
  const byTrial = new Map(records.map(({ index }, nth) => [index, seals[nth]] as const));
  return (trialIndex) => byTrial.get(trialIndex);
}

type Files = Pick<StoredRun, 'readSamples' | 'readArtifacts' | 'visitSamples' | 'samplesAt' | 'readEvidence'>;

function filesOf(directory: string, sealOf: SealOf, bounds: RunBounds): Files {
  const ofTrial = (index: number): TrialFiles => ({ directory, index, seal: sealOf(index), bounds });
  return {
    readSamples: (trialIndex) => readSamples(ofTrial(trialIndex)),
    readArtifacts: (trialIndex) => readArtifacts(directory, trialIndex, sealOf(trialIndex)),
    visitSamples: (trialIndex, visit, damaged = 'throws') => visitSamples(ofTrial(trialIndex), visit, damaged),
    samplesAt: (trialIndex) => {
      const digest = sealOf(trialIndex)?.samples;
      return { path: join(directory, samplesFile(trialIndex)), ...(digest === undefined ? {} : { digest }) };
    },
    readEvidence: (trialIndex) => readEvidence(ofTrial(trialIndex)),
  };
}

async function readSamples(trial: TrialFiles): Promise<Torn<Sample[]>> {
  const value: Sample[] = [];
  const take = (samples: readonly Sample[]) => {
    for (const sample of samples) value.push(sample);
  };
  const kept = new Kept(join(trial.directory, samplesFile(trial.index)), trial.bounds.kept);
  const warning = await visitSamples(trial, take, 'ends', kept);
  return warning === undefined ? { value } : { value, warning };
}

async function visitSamples(
  { directory, index: trialIndex, seal, bounds }: TrialFiles,
  visit: VisitSamples,
  damaged: DamagedLine,
  kept?: Kept,
): Promise<string | undefined> {
  const file = samplesFile(trialIndex);
  // The seal is looked at first, and it is known at the end: a file that was changed is called so.
  let wrong: { readonly error: unknown } | undefined;
  let damagedLine: number | undefined;
  const take = async (lines: readonly string[], first: number) => {
    if (wrong || damagedLine !== undefined) return;
    for (const line of kept ? lines : []) kept?.add(line);
    try {
      const { samples, notJson } = samplesIn(lines, (index) => `${file}:${first + index}`, damaged);
      if (notJson !== undefined) damagedLine = first + notJson;
      await visit(samples);
    } catch (error) {
      wrong = { error };
    }
  };
  const { tear, digest } = await visitCompressedLines(join(directory, file), take, { bounds: bounds.samples });
  assertSealed(file, digest, seal?.samples);
  if (wrong) throw wrong.error;
  if (damagedLine !== undefined) return `${file} is damaged in line ${damagedLine}.`;
  return tear === undefined ? undefined : `${file} ${tear}.`;
}

/** `notJson` is the index of a line at which reading ended. */
function samplesIn(
  lines: readonly string[],
  where: (index: number) => string,
  damaged: DamagedLine,
): { readonly samples: readonly Sample[]; readonly notJson?: number } {
  const samples: Sample[] = [];
  for (const [index, line] of lines.entries()) {
    try {
      samples.push(checked(where(index), () => parseSampleLine(line)));
    } catch (error) {
      if (damaged === 'ends' && isNotJson(error)) return { samples, notJson: index };
      throw error;
    }
  }
  return { samples };
}
