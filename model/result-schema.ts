import { z } from 'zod';

const count = z.number().int().nonnegative();
const size = z.number().int().positive();
const atMs = z.number();

/** What each outcome means, for whoever reads the document by a program. */
export const outcomeSchema = z
  .enum([
    'found',
    'probe-limited',
    'reached-max',
    'baseline-unstable',
    'drifting',
    'server-lost',
    'never-connected',
    'void',
  ])
  .describe(
    'found: both sides are known. probe-limited: the probes ran out first. reached-max: the largest size to be tried was stable. baseline-unstable: not even the smallest size held. drifting: the server got worse during the run. server-lost: the server went away carrying the size "unstable" and did not come back. never-connected: no participant of the smallest size ever had a connection, so nothing is known of what the server holds. void: no answer: nothing could be measured, or the run was interrupted.',
  );

const noticed = z.object({ by: count, of: count }).describe('participants who noticed something, of all');

const limit = z.object({
  stable: count.nullable().describe('largest size that held; 0: not even the smallest did; null: nothing is known'),
  unstable: size.nullable().describe('smallest size that did not hold; null: none is known'),
  flaky: z.array(size).describe('sizes that were stable in some trials and unstable in others, ascending'),
  failedBelow: z.array(size).optional().describe('smaller sizes that never passed; absent: none'),
  edge: z
    .object({
      alwaysUpTo: size.optional().describe('the largest size up to which every trial passed; absent: none'),
      between: z.object({ from: size, upTo: size, passed: count, of: count }).describe('trials in between'),
      neverFrom: size.optional().describe('the smallest size from which on none passed; absent: none was tried'),
    })
    .optional()
    .describe('an edge over several sizes, as seen; absent: no size failed at or below another that passed'),
  lingers: z
    .array(size)
    .optional()
    .describe(
      'sizes that passed, and failed right after a trial that failed alone, as after an overload; absent: none',
    ),
  background: z
    .object({
      trials: count.describe('unstable ones that the search took for none of their size'),
      atLimit: count.describe('of these, at the stable size'),
      above: noticed.describe('in trials of more than half of the stable size'),
      below: noticed.describe('in smaller ones'),
      mayRise: z.literal(true).optional().describe('too few to tell a constant rate from one that rises as the size'),
    })
    .optional()
    .describe('what so few participants noticed at any size that it is no limit; absent: nothing'),
});

const warmUp = z.looseObject({ startedAtMs: atMs, endedAtMs: atMs, probesAsked: count, probesUp: count });

const trial = z.object({
  size,
  probes: count,
  verdict: z.enum(['stable', 'unstable', 'void']),
  reasons: z.array(
    z.object({
      code: z.string(),
      probe: z.string().optional(),
      host: z
        .string()
        .optional()
        .describe('the probe host that it is about, or on which the probe is; local: the only one'),
      session: z.string().optional(),
      text: z.string(),
    }),
  ),
  screened: z
    .literal(true)
    .optional()
    .describe('it ended once it was clearly stable: it steered the search and confirms nothing'),
  disturbedBy: z
    .array(z.string())
    .optional()
    .describe(
      'faults of the probe side that would have made a failure void: this pass steered the search and confirms nothing',
    ),
  warmUp: warmUp.optional().describe('on a cold server, before the trial; no part of its verdict'),
});

const seen = z.object({ size, trial: size });
const reading = z.object({ trial: size, value: z.number() });
const drift = z.object({
  fresh: seen.extend({ failedAgain: size.optional() }).optional(),
  end: seen.optional(),
  costs: z.array(z.object({ of: z.string(), size, early: reading, late: reading })),
});

/**
 * Version 1 of the document of `--format json` of find, try, simulate and report. A later version may add fields; one
 * that takes a field away or changes what it means gets another number.
 */
export const resultSchema = z.looseObject({
  scenario: z.string(),
  server: z.string(),
  unit: z.string().describe('what sizes count: calls, rooms, viewers'),
  limit,
  probesAtLimit: count.nullable().describe('probes of a trial of the size that held; null where no size is known'),
  outcome: outcomeSchema,
  trials: z.array(trial),
  runDirectory: z.string(),
  because: z.string(),
  cutShort: z.literal(true).optional().describe('the search was ended before its end'),
  undecided: z
    .literal(true)
    .optional()
    .describe(
      'the limit is any size from stable to the one before unstable: sizes between them were not tried as closely as asked',
    ),
  unconfirmed: z
    .literal(true)
    .optional()
    .describe('no trial confirms the stable size: each pass of it has disturbedBy or screened'),
  labels: z.record(z.string(), z.string()).optional().describe('what --label said of the run'),
  interrupted: z.literal(true).optional().describe('somebody stopped the run before its end'),
  drift: drift.optional(),
  probeMinutes: z.number().nonnegative().optional().describe('minutes of each probe, joined until the window ended'),
  plainProbeMinutes: z
    .number()
    .nonnegative()
    .optional()
    .describe(
      'an estimate of what doubling and halving alone would have taken; absent: nothing was foreseen or screened',
    ),
});

const resultSchemaVersion = 1;

/** `docs/result.schema.json`. */
export function resultJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(resultSchema);
  return {
    $schema,
    $id: `loadline-result-${resultSchemaVersion}`,
    title: 'A result of Loadline',
    version: resultSchemaVersion,
    ...schema,
  };
}
