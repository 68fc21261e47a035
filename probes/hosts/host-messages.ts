import { z } from 'zod';
import { appValueName } from '../../model/app-value.js';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ArrivedJoin } from '../../model/join.js';
import { plainJson } from '../../model/plain-text.js';
import type { Sample } from '../../model/sample.js';
import { checkedSampleOfLine } from '../../model/sample-line.js';
import type { FleetEvent, ProbeRecord } from '../../model/trial.js';

/** A probe's record as it changed; whose it is, the conductor knows. */
export type HostRecord = Omit<ProbeRecord, 'participant'> & { readonly probe: string };

/** What a probe host says of one trial, in order. Times are on the host's own clock. */
export type HostMessage =
  | { readonly is: 'samples'; readonly samples: readonly Sample[] }
  | { readonly is: 'event'; readonly event: FleetEvent }
  | { readonly is: 'records'; readonly records: readonly HostRecord[] }
  | { readonly is: 'readings'; readonly readings: readonly ProbeHostReading[] }
  | { readonly is: 'artifacts'; readonly artifacts: ProbeArtifacts }
  /** Its browsers are there, and wait for the order to begin. */
  | { readonly is: 'ready' }
  /** Its pace began, so much later than it was told to. */
  | { readonly is: 'began'; readonly lateMs: number }
  /** Each of its probes is up or has failed; or why joining ended before. */
  | {
      readonly is: 'joined';
      readonly failed?: { readonly code?: string; readonly message: string; readonly why?: string };
    }
  /** What became of one who comes and goes. */
  | { readonly is: 'came'; readonly join: ArrivedJoin }
  /** How late its timers woke while participants came. */
  | { readonly is: 'asleep'; readonly ms: readonly number[] }
  | { readonly is: 'left' }
  | { readonly is: 'closed' }
  /** It could not send for so long that it let go of these, the oldest that it had. */
  | { readonly is: 'dropped'; readonly samples: number }
  /** The host goes, and its probes with it; a sentence part. */
  | { readonly is: 'going'; readonly why: string };

/** Numbered from 1 in each trial of a host: what is missing or comes twice is known by that. */
export interface Batch {
  readonly host: string;
  readonly trial: string;
  readonly number: number;
  readonly told: readonly HostMessage[];
  /** Of its text, characters. */
  readonly length: number;
}

const probe = z.string().min(1).max(200);
const failure = z.looseObject({ probe, code: z.string(), atMs: z.number(), detail: z.string() });
const join = z.record(z.string(), z.number());
const record = z.looseObject({
  probe,
  browser: z.number(),
  page: z.number(),
  up: z.boolean(),
  join,
  failures: z.array(failure),
  there: z.looseObject({ fromMs: z.number(), untilMs: z.number().optional() }).optional(),
  routes: z.array(z.looseObject({ leg: probe, candidateType: z.string() })).optional(),
  rates: z.array(z.looseObject({ leg: probe, feedback: z.array(z.string()) })).optional(),
});
const ofHost = { host: z.string(), atMs: z.number() };
const text = z.string();
const valueKind = z.enum(['mark', 'metric']);
const valueName = z.string().regex(appValueName);
const event = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('probe-up'), ...ofHost, probe, join }),
  z.looseObject({ type: z.literal('probe-failed'), ...ofHost, failure }),
  z.looseObject({ type: z.literal('browser-crashed'), ...ofHost, browser: z.number(), probes: z.array(probe) }),
  z.looseObject({ type: z.literal('page-log'), ...ofHost, page: z.number(), level: text, text }),
  z.looseObject({ type: z.literal('warning'), ...ofHost, text }),
  z.looseObject({ type: z.literal('app-value'), ...ofHost, probe, of: valueKind, name: valueName, value: z.number() }),
  z.looseObject({ type: z.literal('network'), ...ofHost, network: text }),
]);
/** They are kept in memory to the end of a trial: what else stands in one is left out. */
const reading = z.object({
  host: z.string(),
  atMs: z.number(),
  cores: z.number(),
  machineCores: z.number().optional(),
  busyCores: z.number(),
  stealCores: z.number(),
  probeCores: z.number(),
  memoryAvailableMb: z.number(),
  throttledShare: z.number().optional(),
  socketDrops: z.number().optional(),
  nativeLateMs: z.number().optional(),
  linkKbps: z.number().optional(),
  linkSpeedKbps: z.number().optional(),
} satisfies Record<keyof ProbeHostReading, z.ZodType>);
const artifacts = z.looseObject({
  probe,
  host: z.string(),
  atMs: z.number(),
  texts: z.array(z.looseObject({ name: text, text })),
  picture: text.optional(),
});
const arrivedJoin = z.looseObject({
  participant: probe,
  session: z.string(),
  dueMs: z.number(),
  endedMs: z.number(),
  failure: z.looseObject({ code: z.string(), detail: z.string() }).optional(),
});
const failed = z.object({ code: z.string().optional(), message: z.string(), why: z.string().optional() });

const batchSchema = z.strictObject({
  host: z.string(),
  trial: z.string(),
  number: z.number().int().positive(),
  told: z.array(
    z.discriminatedUnion('is', [
      z.strictObject({ is: z.literal('samples'), lines: z.number().int().nonnegative() }),
      z.strictObject({ is: z.literal('event'), event }),
      z.strictObject({ is: z.literal('records'), records: z.array(record) }),
      z.strictObject({ is: z.literal('readings'), readings: z.array(reading) }),
      z.strictObject({ is: z.literal('artifacts'), artifacts }),
      z.strictObject({ is: z.literal('ready') }),
      z.strictObject({ is: z.literal('began'), lateMs: z.number().nonnegative() }),
      z.strictObject({ is: z.literal('joined'), failed: failed.optional() }),
      z.strictObject({ is: z.literal('came'), join: arrivedJoin }),
      z.strictObject({ is: z.literal('asleep'), ms: z.array(z.number().nonnegative()) }),
      z.strictObject({ is: z.literal('left') }),
      z.strictObject({ is: z.literal('closed') }),
      z.strictObject({ is: z.literal('dropped'), samples: z.number().int().positive() }),
      z.strictObject({ is: z.literal('going'), why: z.string().max(500) }),
    ]),
  ),
});

/** Stands for samples in a batch's first line: their number. The samples follow, each in its page's line. */
export const samplesJson = (count: number): string => JSON.stringify({ is: 'samples', lines: count });

/** A batch of parts that are text already. */
export function batchText(
  { host, trial, number }: Omit<Batch, 'told' | 'length'>,
  parts: readonly { readonly json: string; readonly lines: readonly string[] }[],
): string {
  const head = `{"host":${JSON.stringify(host)},"trial":${JSON.stringify(trial)},"number":${number},"told":[${parts.map(({ json }) => json).join(',')}]}`;
  return [head, ...parts.flatMap(({ lines }) => lines)].join('\n');
}

/**
 * What a host wrote, if it is one of ours that did. Checked are the frame and whatever is counted with; what the fields
 * of samples and events are beyond that is the type of the same build on the other side.
 */
export function readBatch(text: string): Batch | undefined {
  try {
    const [head = '', ...lines] = plainJson(text).split('\n');
    const { told, ...batch } = batchSchema.parse(JSON.parse(head));
    let at = 0;
    const heard = told.map((one) => {
      if (one.is !== 'samples') return one;
      at += one.lines;
      return { is: 'samples', samples: lines.slice(at - one.lines, at).map(readSample) };
    });
    return at === lines.length ? ({ ...batch, told: heard, length: text.length } as unknown as Batch) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws what is none, or names no host. */
function readSample(line: string): Sample {
  const sample = checkedSampleOfLine(line);
  if (sample.host === undefined) throw new Error('this sample is of no host');
  return sample;
}
