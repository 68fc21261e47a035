import { z } from 'zod';
import { type ArrivalsRecord, arrivalsLoad, arrivalsPlanSchema, arrivalsShape } from './arrivals.js';
import type { Scenario, Session } from './scenario.js';

/** What a size counts: sessions that are there at a time, or sessions that come. */
export const loadSchema = z.discriminatedUnion('by', [z.object({ by: z.literal('sessions') }), arrivalsPlanSchema]);

export type Load = z.infer<typeof loadSchema>;

/** For what checks a kind without its fields. */
export const loadNames = loadSchema.options.map(({ shape }) => shape.by.value);

/** What is to be known of a kind of load, each part told of a load of this kind. */
interface LoadKind {
  /** Participants come and go all the time, instead of joining and staying to the end. */
  readonly comeAndGo: boolean;
  /** From when joins are timed; absent: from their start. */
  readonly joinsFrom?: string;
  /** What a trial waits for before its window: as many leave as come, or rates have stopped growing. */
  beforeWindowMs(load: Load, timing: { readonly settleMs: number }): number;
  /** How long each stays; absent: to the end. */
  stayMs?(load: Load): number;
  /** How many sessions begin in a second at this size; absent: a size is no rate. */
  perSecond?(load: Load, size: number): number;
  /** The scenario with sizes of this load, beside sessions that stay. Absent: as it is. */
  sized?(load: Load, scenario: Scenario, measureMs: number, sentinels: readonly Session[]): Scenario;
  /** What a host has at a time of this size; absent: all of it. */
  there?(load: Load, scenario: Scenario, size: number): { scenario: Scenario; size: number } | undefined;
  /** What a comparison says after the name of the scenario. */
  told(load: Load): string;
}

/** A kind of load is its fields, its row here, and what it counts. Other tables: docs/architecture.md. */
export const loads: Readonly<Record<Load['by'], LoadKind>> = {
  sessions: { comeAndGo: false, beforeWindowMs: (_, { settleMs }) => settleMs, told: () => '' },
  arrivals: arrivalsLoad,
};

export const comeAndGo = ({ by }: Pick<Load, 'by'>): boolean => loads[by].comeAndGo;

/** How long joining takes before the window; nothing where people come and go, whatever the size. */
export function joiningMs(plan: { load: Load; timing: { pacePerSecond: number } }, probes: number): number {
  return comeAndGo(plan.load) ? 0 : (1000 * probes) / plan.timing.pacePerSecond;
}

/** What a trial counted of its participants, which are not listed in `probes`. */
export interface CountedByLoad {
  /** `probesAsked` were due in the window, and `probesUp` of them were answered. */
  readonly arrivals?: ArrivalsRecord | undefined;
}

/** What is checked of stored ones. */
export const countedShapes = { arrivals: arrivalsShape.optional() };

export function countedIn({ arrivals }: CountedByLoad) {
  return arrivals;
}
