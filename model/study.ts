import { z } from 'zod';
import type { FinishedRun } from './finished-run.js';

/** Names stand in paths, tables and links. */
export const studyName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

const cellSchema = z.object({
  /** "janus+broadcast+360p": its name in the folder and in the label of its runs. */
  id: z.string().regex(/^[A-Za-z0-9._+-]{1,130}$/),
  server: z.string().regex(studyName),
  scenario: z.string().regex(studyName),
  /** Absent where the study has no settings. */
  setting: z.string().regex(studyName).optional(),
});

/** One server under one load. */
export type StudyCell = z.infer<typeof cellSchema>;

/** What a study may find of a cell. What a session costs, and what ran out, are in the run that finds the limit. */
export const studyAims = ['limit', 'delay', 'join-rate', 'recovery'] as const;
export type StudyAim = (typeof studyAims)[number];

/** Runs of a cell in one round. All but the first begin where its limit is known. */
export const studyParts = ['limit', 'at-50', 'at-80', 'join-rate', 'recovery'] as const;
export type StudyPart = (typeof studyParts)[number];

const partSchema = z.enum(studyParts);

/** The limit is always found: the others rest on it. At 100 % its own trials say what they saw. */
export function partsOf(aims: readonly StudyAim[]): StudyPart[] {
  const aimOf = { limit: 'limit', 'at-50': 'delay', 'at-80': 'delay', 'join-rate': 'join-rate', recovery: 'recovery' };
  return studyParts.filter((part) => part === 'limit' || aims.some((aim) => aim === aimOf[part]));
}

/** Of the limit, in percent; after a kill as many come back as half of it. */
export const shareOfPart: Readonly<Partial<Record<StudyPart, number>>> = { 'at-50': 50, 'at-80': 80, recovery: 50 };

/** Whole sessions, as near to that share of a limit as they get. */
export function sizeAtShare(percent: number, limit: number): number {
  return Math.max(1, Math.round((limit * percent) / 100));
}

/** Whether a size may be told as that share of a limit: 1 is not 80 % of 2. */
export function isNearShare(size: number, limit: number, percent: number): boolean {
  return Math.abs((100 * size) / limit - percent) <= 10;
}

/** The label of a run of `recovery`: from the kill of the server until one that was started then answered. */
export const answersAgainLabel = 'answers_again_ms';

/**
 * Labels of a run: the cores that server and probes may run on, "0+2-3" (a label has no comma). Absent: the study did
 * not start it.
 */
export const serverCpusLabel = 'server_cpus';
export const probeCpusLabel = 'probe_cpus';

/** What a study gives a server; what is known for a secret is hidden. */
export const studiedServerSchema = z.object({
  name: z.string().regex(studyName),
  /** Shell commands; absent: others start it, or each run. */
  start: z.string().optional(),
  stop: z.string().optional(),
  /** What its control group gives it, and the cores that it may run on; absent: no bound. */
  cores: z.number().optional(),
  memoryBytes: z.number().optional(),
  cpus: z.string().optional(),
  /** What is its own in the plans of its runs. */
  plan: z.record(z.string(), z.unknown()),
  /** Those that its command names, as they were when the study began; folders of before have no hash. */
  files: z.array(z.object({ path: z.string(), sha256: z.string().optional() })),
});
export type StudiedServer = z.infer<typeof studiedServerSchema>;

/** What the folder of a study says of it; its runs say the rest. */
export const studySchema = z.object({
  format: z.literal(1),
  name: z.string().regex(studyName),
  startedAt: z.string(),
  rounds: z.number().int().positive(),
  seed: z.number().int().nonnegative(),
  /** The chance that a table ranks servers that are equal, 0 to 1. */
  chance: z.number().gt(0).lt(1),
  /** The study ends once each limit lies within so much of its middle, each way; absent: all rounds are made. */
  precision: z.number().gt(0).lt(1).optional(),
  cells: z.array(cellSchema),
  /** Absent in folders of before. */
  servers: z.array(studiedServerSchema).optional(),
  /** What the settings vary, in their order; absent: they were named one by one. */
  over: z.object({ key: z.string(), values: z.array(z.union([z.string(), z.number()])) }).optional(),
  /** In each round, of each cell. */
  parts: z.array(partSchema),
  /** Of all that it asks: two with the same are one study. */
  question: z.string(),
});

export type Study = z.infer<typeof studySchema>;

/** One run that is to be made. */
export interface StudyStep {
  readonly round: number;
  readonly cell: StudyCell;
  readonly part: StudyPart;
}

/** A run of a study that came to its end. */
export interface PlayedStep {
  readonly cell: string;
  readonly round: number;
  readonly part: StudyPart;
  /** Its folder, from that of the study. */
  readonly path: string;
  readonly run: FinishedRun;
}

/** A run that was begun and of which nothing is stored. */
export const failedStepSchema = z.object({
  cell: z.string(),
  round: z.number(),
  part: partSchema,
  why: z.string(),
});
export type FailedStep = z.infer<typeof failedStepSchema>;

/** Cells that differ in their server alone: what a table puts side by side. */
export function blockOf({ scenario, setting }: StudyCell): string {
  return setting === undefined ? scenario : `${scenario}, ${setting}`;
}
