import { z } from 'zod';
import type { Scenario, ScenarioUnit, Session } from './scenario.js';
import type { SignallingTraffic } from './signalling-traffic.js';

/** When sessions come: evenly, or as people do who know nothing of each other. */
export const arrivalProcesses = ['constant', 'poisson'] as const;
/** How long each stays: all the same, or as calls do that may end at any moment. */
export const stays = ['constant', 'exponential'] as const;

const positive = z.number().positive();

/** The load of a trial is how fast sessions come, whatever became of those before: an open model. */
export const arrivalsPlanSchema = z.object({
  process: z.enum(arrivalProcesses),
  /** How long each stays from when all of it have been answered; of exponential stays the mean. */
  holdMs: positive,
  stay: z.enum(stays),
  /** A size counts the sessions that begin in so long; fractions of a session per second are sizes of a longer span. */
  perMs: positive,
  seed: z.number().int().nonnegative(),
  /** So many more come all at once, on top of those who come evenly. Absent: none. */
  storm: z.number().int().positive().optional(),
  /** The storm is the mean number present, whose connections break when it comes. Absent: nobody's do. */
  reconnect: z.literal(true).optional(),
  by: z.literal('arrivals'),
});

export type ArrivalsPlan = z.infer<typeof arrivalsPlanSchema>;

const begunPer = ' begun per ';

/** The unit of a size: "calls begun per second". */
function unitByRate({ one, many }: ScenarioUnit, perMs: number): ScenarioUnit {
  const span = begunPer + spanText(perMs);
  return { one: one + span, many: many + span, whoCome: many };
}

/** Who come (sessions, viewers, members), of the unit of a size. Runs stored before that have the label alone. */
export function whoCome({ many, whoCome: who = many.split(begunPer)[0] }: ScenarioUnit): string {
  return who ?? many;
}

/** "second", "10 s", "minute". */
function spanText(perMs: number): string {
  if (perMs === 1000) return 'second';
  return perMs === 60_000 ? 'minute' : `${perMs / 1000} s`;
}

export function sessionsPerSecond(size: number, { perMs }: Pick<ArrivalsPlan, 'perMs'>): number {
  return (size * 1000) / perMs;
}

/**
 * Sessions come for so long before anything is judged: then as many leave as come. Exponential stays are over after
 * three times their mean but for one in twenty.
 */
export function leadInMs({ holdMs, stay }: Pick<ArrivalsPlan, 'holdMs' | 'stay'>): number {
  return stay === 'constant' ? holdMs : 3 * holdMs;
}

/** When the storm comes, from the start of the window: before it the usual is seen, after it the recovery. */
export function stormAfterMs(measureMs: number): number {
  return measureMs / 3;
}

/** How many who come are there at a time when each of them stays (Little's law). */
export function presentAtATime(size: number, arrivals: Pick<ArrivalsPlan, 'perMs' | 'holdMs'>): number {
  return (sessionsPerSecond(size, arrivals) * arrivals.holdMs) / 1000;
}

/** How many come at once in a trial of this size. */
export function stormSize(size: number, arrivals: ArrivalsPlan): number {
  return arrivals.reconnect ? Math.max(1, Math.round(presentAtATime(size, arrivals))) : (arrivals.storm ?? 0);
}

/** How many come in a trial, before the window and in it. */
function sessionsOf(size: number, arrivals: ArrivalsPlan, measureMs: number): number {
  const seconds = (leadInMs(arrivals) + measureMs) / 1000;
  const exact = sessionsPerSecond(size, arrivals) * seconds;
  // Evenly: all who are due before the end.
  const come = arrivals.process === 'constant' ? Math.ceil(exact - 1e-6) : Math.round(exact);
  return Math.max(1, come) + stormSize(size, arrivals);
}

/** A size is how fast sessions come (`load.ts`). */
export const arrivalsLoad = {
  comeAndGo: true,
  joinsFrom: 'when it was due',
  beforeWindowMs: (load: ArrivalsPlan) => leadInMs(load),
  stayMs: ({ holdMs }: ArrivalsPlan) => holdMs,
  perSecond: (load: ArrivalsPlan, size: number) => sessionsPerSecond(size, load),
  sized: (load: ArrivalsPlan, scenario: Scenario, measureMs: number, sentinels: readonly Session[]): Scenario => {
    const { coming } = scenario;
    if (!coming) return scenario;
    const sessions = (size: number) => coming.sessions(sessionsOf(size, load, measureMs), presentAtATime(size, load));
    const unit = unitByRate(coming.unit, load.perMs);
    return { ...scenario, unit, sessions: (size) => [...sentinels, ...sessions(size)] };
  },
  there: (load: ArrivalsPlan, { coming, ...others }: Scenario, size: number) =>
    coming && {
      scenario: { ...others, sessions: (count: number) => coming.sessions(count, count) },
      size: Math.ceil(presentAtATime(size, load)) + stormSize(size, load),
    },
  told: ({ process, stay, holdMs, perMs, storm, reconnect }: ArrivalsPlan) => {
    const atOnce = storm === undefined ? '' : `, a storm of ${storm}`;
    const lost = reconnect ? ', all connections lost once' : '';
    return ` by arrivals per ${perMs / 1000} s, ${process}, ${stay} stays of ${holdMs / 1000} s${atOnce}${lost}`;
  },
} as const;

/** Times in buckets, so narrow that a value is off by at most 1 %; lowest, highest and sum are exact. */
export interface TimeCounts {
  readonly count: number;
  readonly sumMs: number;
  /** Absent when there is none. */
  readonly minMs?: number;
  readonly maxMs?: number;
  /** The number of a bucket and how many are in it, ascending. */
  readonly buckets: readonly (readonly [number, number])[];
}

/** Participants by what became of their joins. */
interface JoinCounts {
  readonly due: number;
  readonly answered: number;
  /** The server said no. */
  readonly refused: number;
  /** No answer in the time that joining may take. */
  readonly stalled: number;
  /** Failed in another way. */
  readonly failed: number;
}

/** What became of joins in one second of the window. */
export interface ArrivalSecond extends JoinCounts {
  readonly begun: number;
  /** Of the joins due in it: how many were answered within each of `heatLimitsMs`, and how many later or never. */
  readonly heat: readonly number[];
}

/** Upper bounds of the times of a heat map; the last column holds what took longer, or got no answer. */
export const heatLimitsMs = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] as const;

/**
 * The steps of a join, one after the other. Who signals alone has no description to wait for, and its candidates are
 * taken after its answer; a browser makes its own descriptions, connects, and has its media.
 */
export const joinSteps = ['begin', 'create', 'describe', 'offer', 'candidates', 'ice', 'dtls', 'media'] as const;
export type JoinStep = (typeof joinSteps)[number];

/** Why joins failed, alike ones together. */
export interface FailedJoins {
  readonly how: 'refused' | 'stalled' | 'failed';
  readonly count: number;
  /** Of the first. */
  readonly participant: string;
  readonly detail: string;
}

/** Of those who came all at once. */
export interface StormRecord extends JoinCounts {
  /** When they were due. */
  readonly atMs: number;
  /** How many (sessions, viewers, members) were there and lost their connections then; absent: none was to. */
  readonly lost?: number;
  /** From when they were due, of those who were answered. */
  readonly answer: TimeCounts;
  /** Longest wait of even arrivals for an answer before it; absent: none came in the window before. */
  readonly usualMs?: number;
  /** From the storm until the last of it was answered; absent: not all of them were. */
  readonly allAnsweredMs?: number;
  /** From the storm until that and until those who come evenly were answered as before; absent: that was not seen. */
  readonly overMs?: number;
}

/** What became of the participants of a trial by arrivals that were due in its window. */
export interface ArrivalsRecord extends JoinCounts {
  readonly sessionsPerSecond: number;
  readonly begun: number;
  /** Stalled joins whose browsers did not say what they send, so that the server was not asked. Absent: none. */
  readonly undescribed?: number;
  readonly failures: readonly FailedJoins[];
  /** From when each was due until all its legs were answered; without an answer, the time waited. */
  readonly answer: TimeCounts;
  /** From when each was due until the generator began it. */
  readonly late: TimeCounts;
  /** How late the generator's own timer woke, looked at all the time: so late it may have read an answer. */
  readonly asleep: TimeCounts;
  /** Those that joins of this kind have. */
  readonly steps: Readonly<Partial<Record<JoinStep, TimeCounts>>>;
  /** Of browsers, from when each was due: until all its connections were there, … */
  readonly connected?: TimeCounts;
  /** … and until all that it was to receive had arrived. */
  readonly firstFrame?: TimeCounts;
  /** Of browsers: what of the time until the answer the server took, and not they themselves. */
  readonly served?: TimeCounts;
  /**
   * The middle wait for the server, milliseconds, of those due in each of 14 parts of the window; empty: nobody was due
   * in some part. Absent in a trial with a storm, and in earlier runs.
   */
  readonly waitsMs?: readonly number[];
  /** One for each second of the window. */
  readonly seconds: readonly ArrivalSecond[];
  /** Arrivals present at a time (sessions, viewers, members): mean over the window, and the most. */
  readonly presentMean: number;
  readonly presentMax: number;
  /** Those that were to leave in the window and could not be ended on the server. */
  readonly leftBadly: number;
  /** Absent where none was asked for. Who came in it is in all the other numbers, too. */
  readonly storm?: StormRecord;
  /** Over the window, leaving included; absent where the server's adapter does not count. */
  readonly traffic?: SignallingTraffic;
}

const count = z.number().int().nonnegative();
const times = z.looseObject({ count, sumMs: z.number(), buckets: z.array(z.tuple([count, count])) });

/** What is checked of a stored one. */
export const arrivalsShape = z.looseObject({
  ...{ due: count, begun: count, answered: count, refused: count, stalled: count, undescribed: count.optional() },
  ...{ failed: count, answer: times, late: times, asleep: times, steps: z.record(z.string(), times) },
  seconds: z.array(z.looseObject({ due: count, heat: z.array(count) })),
});
