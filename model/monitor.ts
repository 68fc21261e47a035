import { z } from 'zod';

/** Entries of a monitor's journal, one a line, in order. Times are epoch milliseconds. */

const atMs = z.number();

/** How a watch stands. `blind`: nothing is known of the server, because runs fail or are void. */
export const levels = ['ok', 'warning', 'regressed', 'blind'] as const;
const level = z.enum(levels);
export type Level = (typeof levels)[number];

/** Something that is not as it was, with its evidence as a whole sentence. */
const finding = z.object({
  kind: z.enum(['verdict', 'require', 'limit', 'drift', 'memory', 'no-answer']),
  level,
  text: z.string(),
  /** Of a drift: the name of the metric. */
  metric: z.string().optional(),
  /** The first run that looks worse: it alarms nobody, and is run again at once. */
  unconfirmed: z.literal(true).optional(),
});
export type Finding = z.infer<typeof finding>;

const metricValue = z.object({
  value: z.number(),
  unit: z.string(),
  /** Which way is worse for a participant, or costs more. */
  worse: z.enum(['higher', 'lower']),
  /** The threshold, for metrics that are judged. */
  limit: z.number().optional(),
});
export type MetricValue = z.infer<typeof metricValue>;

/** What one run says, in the few numbers that runs are compared by. */
const mark = z.object({
  /** `failed`: there was no run, or it did not come to an answer. */
  verdict: z.enum(['stable', 'unstable', 'void', 'failed']),
  /** The size that was tried, or the limit that was found. */
  size: z.number().optional(),
  unit: z.string(),
  /** Of a search. `unstable` is null when no size failed. */
  limit: z.object({ stable: z.number(), unstable: z.number().nullable() }).optional(),
  /** The limit was found, and is below the `require` of its plan. */
  belowRequired: z.literal(true).optional(),
  /** Whole sentences, the worst first. */
  reasons: z.array(z.string()).readonly(),
  /** By a name that a person reads: "video loss, mean". */
  metrics: z.record(z.string(), metricValue),
  /** Of the media server before any load, MB. */
  serverMemoryMb: z.number().optional(),
  /** What a change may come from, by name: server, Chromium, kernel. */
  surroundings: z.record(z.string(), z.string()),
});
export type RunMark = z.infer<typeof mark>;

/** What a run answered: a limit that holds, and is less than was required, is no good answer. */
export function answerOf({ verdict, belowRequired }: RunMark): 'good' | 'bad' | 'none' {
  if (verdict === 'void' || verdict === 'failed') return 'none';
  return verdict === 'stable' && !belowRequired ? 'good' : 'bad';
}

const runEntrySchema = z.object({
  type: z.literal('run'),
  watch: z.string(),
  dueAtMs: atMs,
  startedAtMs: atMs,
  endedAtMs: atMs,
  /** As the monitor file says it: "4", "80% of limit", "find". */
  asked: z.string(),
  /** Runs with the same one asked the same, and may be compared. */
  question: z.string(),
  /** It was run to confirm the one before it, and not because it was due. */
  repeat: z.literal(true).optional(),
  /** The folder's name within the monitor's; absent when there is none. */
  run: z.string().optional(),
  /** What the run took on disk, for the budget of the next one. */
  bytes: z.number().optional(),
  mark,
  findings: z.array(finding).readonly(),
  level,
});
export type RunEntry = z.infer<typeof runEntrySchema>;

const alertKinds = ['regressed', 'warning', 'recovered', 'blind', 'reminder'] as const;

const alertEntry = z.object({
  type: z.literal('alert'),
  id: z.string(),
  atMs,
  watch: z.string(),
  kind: z.enum(alertKinds),
  level,
  /** One sentence. */
  text: z.string(),
  /** Evidence, whole sentences. */
  reasons: z.array(z.string()).readonly(),
  run: z.string().optional(),
});
export type AlertEntry = z.infer<typeof alertEntry>;

/** That an alert reached a target, or did not. */
const toldEntry = z.object({
  type: z.literal('told'),
  atMs,
  alert: z.string(),
  /** "webhook", "mail", "command". */
  target: z.string(),
  ok: z.boolean(),
  error: z.string().optional(),
});
export type ToldEntry = z.infer<typeof toldEntry>;

/** Runs that were due and did not start, and why. */
const missedEntry = z.object({
  type: z.literal('missed'),
  atMs,
  watch: z.string(),
  dueAtMs: z.array(atMs).readonly(),
  why: z.string(),
});
export type MissedEntry = z.infer<typeof missedEntry>;

/** The monitor's own beginnings and ends, steps of the clock, what was thinned. */
const noteEntry = z.object({ type: z.literal('note'), atMs, text: z.string() });

export const monitorEntrySchema = z.discriminatedUnion('type', [
  runEntrySchema,
  alertEntry,
  toldEntry,
  missedEntry,
  noteEntry,
]);
export type MonitorEntry = z.infer<typeof monitorEntrySchema>;
