import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ZodError, z } from 'zod';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { LoadlineError } from '../../model/errors.js';
import type { Evidence, ProbeHostReading, ServerReading, TurnReading } from '../../model/evidence.js';
import type { Manifest, RunResult } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';
import { readArtifacts } from './artifact-files.js';
import { manifestOfToday, readingOfToday, recordOfToday } from './earlier-runs.js';
import { readCompressedLines, readLines, visitCompressedLines } from './json-lines.js';
import { evidenceFile, layout, samplesFile } from './layout.js';
import { formatOf, parseManifest, parseSample, parseSampleLine, parseTrialRecord } from './stored-shapes.js';
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
  /** Every sample of a trial up to a tear, in the order of arrival. */
  readSamples(trialIndex: number): Promise<Torn<Sample[]>>;
  /** The same part after part, for trials that do not fit into memory. Resolves with the warning of a tear. */
  visitSamples(trialIndex: number, visit: VisitSamples): Promise<string | undefined>;
  readEvidence(trialIndex: number): Promise<Torn<Evidence>>;
  /** What was kept of probes that failed. */
  readArtifacts(trialIndex: number): Promise<readonly ProbeArtifacts[]>;
}

export type VisitSamples = (samples: readonly Sample[]) => void | Promise<void>;

export interface Torn<T> {
  readonly value: T;
  /** A sentence when the file ends before its end. */
  readonly warning?: string;
}

const currentFormat = 1;

/**
 * Reads a run directory back, a killed run's too. A record torn by a kill is left out and named in `warnings`. Samples
 * and evidence are read when asked for. Throws E_RUN for a folder that holds no run, a newer format, or a file that
 * was changed by hand so that it no longer makes sense.
 */
export async function readRun(path: string): Promise<StoredRun> {
  const directory = resolve(path);
  const manifest = await readManifest(directory);
  const warnings: string[] = [];
  const trials = await readLines(join(directory, layout.trials));
  if (trials.damagedLine !== undefined) throw damaged(`${layout.trials}:${trials.damagedLine}`, 'it is not JSON');
  if (trials.tear !== undefined) warnings.push(`${layout.trials} ${trials.tear}; that trial is left out.`);
  const records = trials.values.map((value, index) =>
    checked(`${layout.trials}:${index + 1}`, () => recordOfToday(parseTrialRecord(value))),
  );
  const thinned = await thinnedSentence(directory);
  if (thinned !== undefined) warnings.push(thinned);
  return {
    directory,
    manifest,
    records,
    result: await readResult(directory),
    warnings,
    ...(thinned === undefined ? {} : { thinned }),
    readSamples: (trialIndex) => readSamples(directory, trialIndex),
    readArtifacts: (trialIndex) => readArtifacts(directory, trialIndex),
    visitSamples: (trialIndex, visit) => visitSamples(directory, trialIndex, visit),
    readEvidence: (trialIndex) => readEvidence(directory, trialIndex),
  };
}

export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, layout.manifest);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new LoadlineError('E_RUN', `${directory} is not the folder of a run.`, {
      where: path,
      why: error instanceof Error ? error.message : String(error),
      todo: 'name a folder that loadline find or loadline try has made',
      cause: error,
    });
  });
  const value = checked(layout.manifest, () => JSON.parse(text) as unknown);
  const format = formatOf(value);
  if (format !== undefined && format > currentFormat) {
    throw new LoadlineError('E_RUN', `This run was stored by a newer Loadline, in format ${format}.`, {
      where: path,
      why: `this Loadline reads formats up to ${currentFormat}`,
      todo: 'read it with the version that made it, or a later one',
    });
  }
  return checked(layout.manifest, () => manifestOfToday(parseManifest(value)));
}

export async function readResult(directory: string): Promise<RunResult | undefined> {
  const text = await readFile(join(directory, layout.result), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const shape = z.looseObject({ scenario: z.string(), outcome: z.string(), runDirectory: z.string() });
  return checked(layout.result, () => shape.parse(JSON.parse(text)) as unknown as RunResult);
}

async function readSamples(directory: string, trialIndex: number): Promise<Torn<Sample[]>> {
  const file = samplesFile(trialIndex);
  const { values, tear } = await readCompressedLines(join(directory, file));
  const value = values.map((line, index) => checked(`${file}:${index + 1}`, () => parseSample(line)));
  return tear === undefined ? { value } : { value, warning: `${file} ${tear}.` };
}

async function visitSamples(directory: string, trialIndex: number, visit: VisitSamples): Promise<string | undefined> {
  const file = samplesFile(trialIndex);
  const tear = await visitCompressedLines(join(directory, file), (lines, first) =>
    visit(lines.map((line, index) => checked(`${file}:${first + index}`, () => parseSampleLine(line)))),
  );
  return tear === undefined ? undefined : `${file} ${tear}.`;
}

async function readEvidence(directory: string, trialIndex: number): Promise<Torn<Evidence>> {
  const file = evidenceFile(trialIndex);
  const { values, tear } = await readCompressedLines(join(directory, file));
  const shape = z.looseObject({ of: z.enum(['probe-host', 'server', 'turn']), atMs: z.number() });
  const probeHost: ProbeHostReading[] = [];
  const server: ServerReading[] = [];
  const turn: TurnReading[] = [];
  values.forEach((line, index) => {
    const { of, ...reading } = checked(`${file}:${index + 1}`, () => shape.parse(line));
    if (of === 'probe-host') probeHost.push(reading as unknown as ProbeHostReading);
    else if (of === 'turn') turn.push(reading as unknown as TurnReading);
    else server.push(readingOfToday(reading as unknown as ServerReading));
  });
  const value = { probeHost, server, ...(turn.length > 0 ? { turn } : {}) };
  return tear === undefined ? { value } : { value, warning: `${file} ${tear}.` };
}

function checked<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const issue = error instanceof ZodError ? error.issues[0] : undefined;
    const words = error instanceof Error ? error.message : String(error);
    throw damaged(where, issue ? `${issue.path.join('.')}: ${issue.message}` : words, error);
  }
}

function damaged(where: string, why: string, cause?: unknown): LoadlineError {
  const todo = 'the file was changed after it was written; restore it, or run again';
  return new LoadlineError('E_RUN', `${where} of the stored run cannot be understood.`, { where, why, todo, cause });
}
