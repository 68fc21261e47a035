import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { LoadlineError } from '../../model/errors.js';
import type { Evidence, ProbeHostReading, ScrapedReading, ServerReading, TurnReading } from '../../model/evidence.js';
import { plainCopy, plainJson } from '../../model/plain-text.js';
import type { Manifest, RunResult } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';
import { type AbsentFiles, absentFiles, absentSentences } from './absent-files.js';
import { readArtifacts } from './artifact-files.js';
import { changedFile } from './changed-file.js';
import { readingOfToday, recordOfToday } from './earlier-runs.js';
import { readLines, visitCompressedLines } from './json-lines.js';
import { evidenceFile, layout, samplesFile } from './layout.js';
import { assertOwnRun, type RunTrust } from './own-run.js';
import { checked, checkTrials, damaged, readManifest, readResult, unsealedSentence } from './read-sealed.js';
import { type TrialSeal, withoutSeal } from './seal.js';
import { parseSampleLine, parseTrialRecord } from './stored-shapes.js';
import { thinnedSentence } from './thin-run.js';

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
  /** It carries seals, which hold. */
  readonly isSealed: boolean;
  /** Every sample of a trial up to a tear, in the order of arrival. Each reading throws E_RUN for a file that was changed. */
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

export type VisitSamples = (samples: readonly Sample[]) => void | Promise<void>;

/** No kill damages a line in the middle, so nothing after it is believed. */
type DamagedLine = 'throws' | 'ends';

export interface Torn<T> {
  readonly value: T;
  /** A sentence when the file ends before its end. */
  readonly warning?: string;
}

/**
 * Reads a run directory back, a killed run's too. A record torn by a kill is left out and named in `warnings`. Samples
 * and evidence are read when asked for, and held to their seals then. Throws E_RUN for a folder that holds no run, a
 * newer format, and a file that is not as it was written, E_RUN_FOREIGN for another user's.
 */
export async function readRun(path: string, trust: RunTrust = 'own'): Promise<StoredRun> {
  const directory = resolve(path);
  await assertOwnRun(directory, trust);
  const { manifest, seal } = await readManifest(directory);
  const { lines, tear } = await readTrials(directory);
  const trials = checkTrials(lines, seal);
  const records = lines.map((value, index) =>
    checked(`${layout.trials}:${index + 1}`, () => recordOfToday(parseTrialRecord(plainCopy(withoutSeal(value))))),
  );
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
    isSealed: seal !== undefined,
    ...(thinned === undefined ? {} : { thinned }),
    ...filesOf(directory, sealOfTrial(records, trials.seals)),
  };
}

async function readTrials(directory: string): Promise<{ readonly lines: readonly unknown[]; readonly tear?: string }> {
  const { values, tear, damagedLine, missing } = await readLines(join(directory, layout.trials));
  if (missing) {
    throw new LoadlineError('E_RUN', `${layout.trials} of the stored run is missing.`, {
      where: join(directory, layout.trials),
      why: 'it holds every trial of the run, and nothing can be said without it',
      todo: 'put the file back from a copy, or run again',
    });
  }
  if (damagedLine !== undefined) throw damaged(`${layout.trials}:${damagedLine}`, 'it is not JSON');
  return tear === undefined ? { lines: values } : { lines: values, tear };
}

type SealOf = (trialIndex: number) => TrialSeal | undefined;

function sealOfTrial(records: readonly TrialRecord[], seals: readonly (TrialSeal | undefined)[]): SealOf {
  const byTrial = new Map(records.map(({ index }, nth) => [index, seals[nth]] as const));
  return (trialIndex) => byTrial.get(trialIndex);
}

type Files = Pick<StoredRun, 'readSamples' | 'readArtifacts' | 'visitSamples' | 'samplesAt' | 'readEvidence'>;

function filesOf(directory: string, sealOf: SealOf): Files {
  return {
    readSamples: (trialIndex) => readSamples(directory, trialIndex, sealOf(trialIndex)),
    readArtifacts: (trialIndex) => readArtifacts(directory, trialIndex, sealOf(trialIndex)),
    visitSamples: (trialIndex, visit, damaged = 'throws') =>
      visitSamples(directory, trialIndex, visit, damaged, sealOf(trialIndex)),
    samplesAt: (trialIndex) => {
      const digest = sealOf(trialIndex)?.samples;
      return { path: join(directory, samplesFile(trialIndex)), ...(digest === undefined ? {} : { digest }) };
    },
    readEvidence: (trialIndex) => readEvidence(directory, trialIndex, sealOf(trialIndex)),
  };
}

/** Throws E_RUN for a file that holds other lines than were sealed; one that is missing is told of elsewhere. */
function assertSealed(file: string, digest: string | undefined, seal: string | undefined): void {
  if (seal === undefined || digest === undefined || digest === seal) return;
  throw changedFile(file, `its seal in ${layout.trials} does not fit what it holds`);
}

async function readSamples(directory: string, trialIndex: number, seal?: TrialSeal): Promise<Torn<Sample[]>> {
  const value: Sample[] = [];
  const take = (samples: readonly Sample[]) => {
    for (const sample of samples) value.push(sample);
  };
  const warning = await visitSamples(directory, trialIndex, take, 'ends', seal);
  return warning === undefined ? { value } : { value, warning };
}

async function visitSamples(
  directory: string,
  trialIndex: number,
  visit: VisitSamples,
  damaged: DamagedLine,
  seal?: TrialSeal,
): Promise<string | undefined> {
  const file = samplesFile(trialIndex);
  // The seal is looked at first, and it is known at the end: a file that was changed is called so.
  let wrong: { readonly error: unknown } | undefined;
  let damagedLine: number | undefined;
  const { tear, digest } = await visitCompressedLines(join(directory, file), async (lines, first) => {
    if (wrong || damagedLine !== undefined) return;
    try {
      const { samples, notJson } = samplesIn(lines, (index) => `${file}:${first + index}`, damaged);
      if (notJson !== undefined) damagedLine = first + notJson;
      await visit(samples);
    } catch (error) {
      wrong = { error };
    }
  });
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

function isNotJson(error: unknown): boolean {
  return error instanceof LoadlineError && error.cause instanceof SyntaxError;
}

/** Line by line: what the file unpacks to is never in memory as a whole. */
async function readEvidence(directory: string, trialIndex: number, seal?: TrialSeal): Promise<Torn<Evidence>> {
  const file = evidenceFile(trialIndex);
  const found = { probeHost: [], server: [], turn: [], scraped: [] } as FoundReadings;
  let wrong: { readonly error: unknown } | undefined;
  let damagedLine: number | undefined;
  const { tear, digest } = await visitCompressedLines(join(directory, file), (lines, first) => {
    for (const [index, line] of lines.entries()) {
      if (wrong || damagedLine !== undefined) return;
      try {
        checked(`${file}:${first + index}`, () => takeReading(found, line));
      } catch (error) {
        if (isNotJson(error)) damagedLine = first + index;
        else wrong = { error };
      }
    }
  });
  assertSealed(file, digest, seal?.evidence);
  if (wrong) throw wrong.error;
  const { probeHost, server, turn, scraped } = found;
  const value = {
    probeHost,
    server,
    ...(turn.length > 0 ? { turn } : {}),
    ...(scraped.length > 0 ? { scraped } : {}),
  };
  if (damagedLine !== undefined) return { value, warning: `${file} is damaged in line ${damagedLine}.` };
  return tear === undefined ? { value } : { value, warning: `${file} ${tear}.` };
}

interface FoundReadings {
  readonly probeHost: ProbeHostReading[];
  readonly server: ServerReading[];
  readonly turn: TurnReading[];
  readonly scraped: ScrapedReading[];
}

const readingShape = z.looseObject({ of: z.enum(['probe-host', 'server', 'turn', 'scraped']), atMs: z.number() });

function takeReading(found: FoundReadings, line: string): void {
  const { of, ...reading } = readingShape.parse(JSON.parse(plainJson(line)));
  if (of === 'probe-host') found.probeHost.push(reading as unknown as ProbeHostReading);
  else if (of === 'turn') found.turn.push(reading as unknown as TurnReading);
  else if (of === 'scraped') found.scraped.push(reading as unknown as ScrapedReading);
  else found.server.push(readingOfToday(reading as unknown as ServerReading));
}
