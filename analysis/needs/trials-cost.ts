import { expectedStreams } from '../../model/expected-streams.js';
import { joiningMs, loads } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { warmUpsOf } from '../measure/warm-ups.js';
import { samplesMb } from './conductor-needs.js';
import { growthOf } from './kind-needs.js';

/** Reset before and leaving after. */
const aroundMs = 3000;
/**
 * A warm-up without its pace: the start of a browser, the joins on a cold server (4.9 s were seen on a Kurento), and
 * a reset.
 */
const warmUpMs = 9000;

/** Counted once: where people come and go a size has all who come in a trial, and those are many. */
interface CountedPlan {
  readonly plan: Plan;
  readonly scenario: Scenario;
  readonly probesAt: (size: number) => number;
  readonly streamsAt: (size: number) => number;
}

export function countedPlan(plan: Plan, scenario: Scenario): CountedPlan {
  const growth = growthOf(scenario);
  return {
    plan,
    scenario,
    probesAt: growth((participants) => participants.length),
    streamsAt: growth((participants) => expectedStreams(participants).length),
  };
}

/** How long trials of these sizes take, one after the other, with what is between them. */
export function totalMs({ plan, scenario, probesAt }: CountedPlan, sizes: readonly number[], settleMs: number): number {
  const joinMs = (size: number) => joiningMs(plan, probesAt(size));
  const ofEachMs = loads[plan.load.by].beforeWindowMs(plan.load, { settleMs }) + plan.timing.measureMs + aroundMs;
  const warmUps = { none: 0, first: Math.min(1, sizes.length), each: sizes.length }[warmUpsOf(plan)];
  const trialsMs = sizes.reduce((sum, size) => sum + joinMs(size) + ofEachMs, 0);
  return trialsMs + heldMs(plan) + warmUps * (joinMs(scenario.baselineSize) + warmUpMs);
}

/** By how much the window of the limit is longer, which is held last. */
const heldMs = ({ search, timing }: Plan): number => Math.max(0, (search.holdMs ?? 0) - timing.measureMs);

/**
 * Samples are sent from when a probe is up (half of the joining, on average) to when it leaves, after settling; of who
 * comes and goes, while it stays.
 */
export function samplesMbOf({ plan, probesAt, streamsAt }: CountedPlan, sizes: readonly number[]): number {
  const { load, timing } = plan;
  const thereMs = (size: number) =>
    loads[load.by].stayMs?.(load) ?? joiningMs(plan, probesAt(size)) / 2 + timing.settleMs + timing.measureMs;
  return sizes.reduce(
    (sum, size) => sum + samplesMb(streamsAt(size), thereMs(size)),
    samplesMb(streamsAt(sizes.at(-1) ?? 0), heldMs(plan)),
  );
}
