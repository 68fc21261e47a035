import { z } from 'zod';
import { studiedServerSchema, studyParts } from './study.js';

const count = z.number().int().nonnegative();

const overRounds = z
  .object({
    middle: z.number().describe('of the rounds'),
    low: z.number(),
    high: z.number().nullable().describe('null: nothing says how high'),
    sure: z.number().describe('how surely the interval holds the middle of all such rounds, 0 to 1; 0 for one round'),
    rounds: count,
  })
  .describe('what rounds say of one number');

const delayBoundMs = z.number().optional().describe('by so much at most clocks of hosts leave it open; else absent');

const paths = z.array(z.string()).describe('of the runs, from the folder of the study');

const cell = z.object({
  id: z.string(),
  server: z.string(),
  product: z.string().optional().describe('what the server calls itself, its version with it'),
  simulated: z.literal(true).optional(),
  limit: overRounds.optional().describe('absent: no round names a limit'),
  openRounds: count.describe('rounds in which probes, search or time ended before the server did: at least so much'),
  cutShortRounds: count.describe('rounds in which no time was left to repeat what was tried last'),
  highNotShown: z.literal(true).optional().describe('the upper end of the limit rests on such rounds'),
  places: z.tuple([count, count]).optional().describe('best and worst place that what was shown allows'),
  cores: overRounds.optional().describe('of the server, for one more session'),
  memoryMb: overRounds.optional().describe('of the server, for one more session'),
  egressKbps: overRounds.optional().describe('payload that one session receives, at the limit'),
  delayMs: overRounds.optional().describe('at the limit: of 95 % of received streams, the p95 of their seconds'),
  delayBoundMs,
  levels: z
    .array(
      z.object({
        percent: count.describe('of the limit that the same round found'),
        size: overRounds,
        delayMs: overRounds.optional(),
        delayBoundMs,
        trials: count.describe('that say something'),
        noticedIn: count.describe('trials in which somebody noticed something'),
        noticed: z
          .object({ by: count, of: count, trials: count, what: z.array(z.string()) })
          .describe('participants of the trials that show who noticed something'),
        paths,
      }),
    )
    .describe('what participants had at 50, 80 and 100 % of the limit'),
  joinRate: z
    .object({ perSecond: overRounds, isAtLeast: z.boolean(), paths })
    .optional()
    .describe('sessions that the server takes on in a second'),
  recovery: z
    .object({
      answersMs: overRounds.describe('from the kill until it answers'),
      firstFrameMs: overRounds
        .optional()
        .describe('p95 of those who come then; absent: in the middle round somebody within it got nothing'),
      notBack: z.object({ by: count, of: count }).describe('who got nothing'),
      paths,
    })
    .optional(),
  ranOut: z.array(z.object({ what: z.string(), rounds: count })),
  runs: z.array(
    z.object({
      round: count,
      path: z.string().describe('from the folder of the study'),
      outcome: z.string(),
      stable: count.nullable().describe('null: the run names no limit'),
      unstable: count.nullable(),
      atLeast: count
        .optional()
        .describe('the server did not end it, or its upper end was not shown: its limit is so much or more'),
    }),
  ),
  failed: z
    .array(z.object({ round: count, part: z.enum(studyParts), why: z.string() }))
    .describe('runs of which nothing is stored'),
});

const table = z.object({
  load: z.string(),
  scenario: z.string(),
  setting: z.string().optional(),
  unit: z.object({ one: z.string(), many: z.string() }).loose(),
  cells: z.array(cell).describe('the server that holds most first'),
  ranks: z.object({
    above: z.array(z.object({ server: z.string(), than: z.string(), chance: z.number() })),
    pairs: count,
    roundsNeeded: count,
    isTooFew: z.boolean(),
  }),
  unlike: z.array(z.string()).describe('what was not alike, whole sentences'),
});

/**
 * Version 1 of the document of `loadline study --format json`. A later version may add fields; one that takes a field
 * away or changes what it means gets another number.
 */
export const studyResultSchema = z.object({
  format: z.literal(1),
  name: z.string(),
  startedAt: z.string(),
  rounds: count,
  seed: count,
  chance: z.number().describe('how often at most a table of equal servers names a difference, 0 to 1'),
  precision: z
    .object({ asked: z.number(), reached: z.boolean() })
    .optional()
    .describe('of each limit, each way from its middle; reached: `rounds` are fewer than were allowed, or as many'),
  parts: z.array(z.enum(studyParts)).describe('runs of each cell in a round'),
  over: z
    .object({ key: z.string(), values: z.array(z.union([z.string(), z.number()])) })
    .optional()
    .describe('what the settings vary, in their order'),
  servers: z
    .array(studiedServerSchema)
    .optional()
    .describe('what the study gave each; what is known for a secret is hidden'),
  tables: z.array(table),
  place: z.looseObject({}).optional().describe('machine and versions of the first run'),
  against: z
    .looseObject({
      kind: z.enum(['worse', 'none-worse', 'unknown']),
      intervals: z
        .object({ meet: count, of: count, apart: z.array(z.string()) })
        .optional()
        .describe('compared cells with limits in both studies: those whose intervals meet, and the others by name'),
    })
    .optional(),
});

/** `docs/study.schema.json`. */
export function studyResultJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(studyResultSchema);
  return { $schema, $id: 'loadline-study-1', title: 'The answer of a study of Loadline', version: 1, ...schema };
}
