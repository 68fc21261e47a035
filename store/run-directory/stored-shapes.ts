import { z } from 'zod';
import { countedShapes, loadNames } from '../../model/load.js';
import { plainJson } from '../../model/plain-text.js';
import { playerKinds } from '../../model/players.js';
import type { Manifest } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';

/**
 * What a stored run must be like to be read back. Objects are loose: fields that a later version adds pass through,
 * fields that today's code rests on are checked. The plan inside a manifest is not completed with today's defaults: a
 * stored run keeps the thresholds it was judged with.
 */
const atMs = z.number();
const count = z.number().int().nonnegative();

const participant = z.looseObject({
  id: z.string(),
  session: z.string(),
  role: z.string(),
  legs: z.array(z.looseObject({ id: z.string(), sends: z.array(z.string()), receives: z.array(z.string()) })),
});

const failure = z.looseObject({ probe: z.string(), code: z.string(), atMs, detail: z.string() });

const rateControl = z.looseObject({ leg: z.string(), feedback: z.array(z.string()) });

const verdict = z.looseObject({
  kind: z.enum(['stable', 'unstable', 'void']),
  reasons: z.array(z.looseObject({ code: z.string(), text: z.string() })),
  thresholds: z.array(
    z.looseObject({
      code: z.string(),
      id: z.looseObject({ of: z.string() }),
      label: z.string(),
      worst: z.number().nullable(),
    }),
  ),
  probesExhausted: z.boolean().optional(),
});

/** A trial of a day takes little longer. What lies years away would be drawn second by second. */
const longestTrialMs = 40 * 86_400_000;

const anyTrialRecord = z.looseObject({
  index: z.number().int().positive(),
  size: z.number().int().positive(),
  probesAsked: count,
  probesUp: count,
  why: z.string(),
  startedAtMs: atMs,
  endedAtMs: atMs,
  phases: z.array(z.looseObject({ phase: z.string(), startedAtMs: atMs, endedAtMs: atMs })),
  window: z.looseObject({ startMs: atMs, endMs: atMs }).optional(),
  probes: z.array(
    z.looseObject({
      participant,
      browser: count,
      page: count,
      up: z.boolean(),
      join: z.record(z.string(), z.number()),
      failures: z.array(failure),
      there: z.looseObject({ fromMs: atMs, untilMs: atMs.optional() }).optional(),
      rates: z.array(rateControl).optional(),
    }),
  ),
  streams: z.array(z.looseObject({ probe: z.string(), leg: z.string(), values: z.record(z.string(), z.number()) })),
  ...countedShapes,
  events: z.array(z.looseObject({ type: z.string(), atMs })),
  verdict,
  load: z.looseObject({ samplesExpected: count, samplesGot: count }),
});

const trialRecord = anyTrialRecord.refine(
  ({ startedAtMs, endedAtMs, phases, window }) => {
    const all = [endedAtMs, ...phases.flatMap((one) => [one.startedAtMs, one.endedAtMs])];
    if (window) all.push(window.startMs, window.endMs);
    return all.every((ms) => Math.abs(ms - startedAtMs) <= longestTrialMs);
  },
  { message: 'its times are further apart than any trial is long', path: ['startedAtMs'] },
);

const manifest = z.looseObject({
  format: z.literal(2),
  loadline: z.string(),
  startedAt: z.string().refine((text) => !Number.isNaN(Date.parse(text)), { message: 'it is no time' }),
  command: z.array(z.string()),
  plan: z.looseObject({
    scenario: z.string(),
    server: z.looseObject({ kind: z.string() }),
    players: z.looseObject({ kind: z.enum(playerKinds) }),
    load: z.looseObject({ by: z.enum(loadNames) }),
  }),
  server: z.looseObject({ kind: z.string(), name: z.string(), version: z.string() }),
  host: z.looseObject({ cores: z.number() }),
  chromium: z.looseObject({ path: z.string(), version: z.string() }),
  resumedAfter: z.array(z.number()).optional(),
});

/**
 * Each throws a ZodError naming the field, and gives back what was stored itself: a copy by zod has its keys in another
 * order, and a run that is judged again is compared with what was stored to the byte. The casts rest on this tool
 * having written the file.
 */
export const parseTrialRecord = (value: unknown): TrialRecord => checkedBy(trialRecord, value) as TrialRecord;
export const parseManifest = (value: unknown): Manifest => checkedBy(manifest, value) as Manifest;

/**
 * A sample of a line, checked by hand: zod takes as long for one as JSON.parse, and reports read hundreds of thousands.
 * Throws an Error that names what is wrong.
 */
export function parseSampleLine(line: string): Sample {
  const value = JSON.parse(plainJson(line)) as Partial<Record<keyof Sample, unknown>> | null;
  if (typeof value?.probe !== 'string') throw new Error('probe: expected a string');
  for (const name of ['atMs', 'intervalMs', 'lateMs'] as const) {
    if (typeof value[name] !== 'number') throw new Error(`${name}: expected a number`);
  }
  const { legs, streams } = value;
  if (!Array.isArray(legs) || !Array.isArray(streams)) throw new Error('legs, streams: expected arrays');
  for (const leg of legs) if (typeof leg?.leg !== 'string') throw new Error('legs: expected the name of each');
  for (const stream of streams) assertStream(stream);
  return value as Sample;
}

function assertStream(
  stream: Readonly<Partial<Record<'leg' | 'direction' | 'kind' | 'metrics', unknown>>> | null,
): void {
  if (typeof stream?.leg !== 'string') throw new Error('streams: expected the leg of each');
  const { direction, kind, metrics } = stream;
  if (direction !== 'send' && direction !== 'receive') throw new Error('direction: expected send or receive');
  if (kind !== 'audio' && kind !== 'video' && kind !== 'data') throw new Error('kind: expected audio, video or data');
  if (typeof metrics !== 'object' || metrics === null) throw new Error('metrics: expected an object');
  const all = metrics as Readonly<Record<string, unknown>>;
  for (const name in all) if (typeof all[name] !== 'number') throw new Error(`${name}: expected a number`);
}

function checkedBy(shape: z.ZodType, value: unknown): unknown {
  shape.parse(value);
  return value;
}

/** The format number of any version's manifest; `undefined` when the file is something else. */
export function formatOf(value: unknown): number | undefined {
  const parsed = z.looseObject({ format: z.number() }).safeParse(value);
  return parsed.success ? parsed.data.format : undefined;
}
