import { hoursPerMonth } from '../../model/prices.js';
import { sum } from '../statistics/statistics.js';
import { type CapacityAsk, unitsOnAverage } from './ask.js';
import type { HostLimit } from './host-limit.js';
import { tieredCost } from './price-tiers.js';
import type { SituationAt } from './situation.js';
import type { Traffic } from './traffic.js';

/** What a month costs, in the currency of the prices. */
export interface MonthlyCost {
  readonly hosts: number;
  /** If each host held as much as it may hold at most; null where that is not known. */
  readonly hostsAtLeast: number | null;
  /** Null where no bit rate is known or nothing was said of its price. */
  readonly egress: number | null;
  readonly egressGb: number | null;
  readonly total: number;
  /** Hours of one unit, or one participant, that the month has. */
  readonly perUnitHour: readonly (number | null)[];
  readonly perParticipantHour: number | null;
}

/** Gigabytes of a month at so many Mbit/s: 10⁹ bytes each. */
export function monthlyGigabytes(mbps: number, hours: number): number {
  return (mbps * hours * 3600) / 8 / 1000;
}

/** How many hosts carry each share of the demand, what they send on average, and what each of them holds. */
interface Carried {
  readonly at: SituationAt;
  /** On average. */
  readonly trafficAt: (factor: number) => Traffic | null;
  readonly limits: readonly HostLimit[];
}

/**
 * Of the busiest moment all month long, or of a daily curve, in which hosts come and go by the hour and traffic follows
 * the demand. `factor` is the size of the busiest moment beside what was asked for.
 */
export function monthlyCost(
  { at, trafficAt, limits }: Carried,
  { prices, curve, demands }: CapacityAsk,
  factor = 1,
): MonthlyCost | null {
  if (!prices) return null;
  const hours = hoursPerMonth(prices);
  const day = (curve ?? [{ hours: 24, share: 1 }]).map((step) => ({
    ...step,
    moment: at(step.share * factor),
    traffic: trafficAt(step.share * factor),
  }));
  const average = (read: (step: (typeof day)[number]) => number) =>
    sum(day.map((step) => step.hours * read(step))) / sum(day.map((step) => step.hours));
  const meanShare = average(({ share }) => share);
  const hosts = hours * average(({ moment }) => moment.perHour ?? 0);
  const known = day.every(({ moment }) => moment.fewestPerHour !== null);
  const mbps = day.every(({ traffic }) => traffic) ? average(({ traffic }) => traffic?.egressMbps ?? 0) : null;
  const egressGb = mbps === null ? null : monthlyGigabytes(mbps, hours);
  const egress = egressGb === null || !prices.egress ? null : tieredCost(egressGb, stepsOf(prices.egress));
  const total = hosts + (egress ?? 0);
  const unitHours = demands.map((demand) => unitsOnAverage(demand) * factor * meanShare * hours);
  const participantHours = demands.reduce(
    (sum, { scenario }, index) => sum + (unitHours[index] ?? 0) * participantsPerUnit(limits, scenario),
    0,
  );
  return {
    hosts,
    hostsAtLeast: known ? hours * average(({ moment }) => moment.fewestPerHour ?? 0) : null,
    egress,
    egressGb,
    total,
    // What one scenario costs of hosts and traffic that serve several cannot be told apart.
    perUnitHour: unitHours.map((own) => (demands.length === 1 && own > 0 ? total / own : null)),
    perParticipantHour: participantHours > 0 ? total / participantHours : null,
  };
}

export function stepsOf(steps: readonly { readonly upTo?: number | undefined; readonly perGb: number }[]) {
  return steps.map(({ upTo, perGb }) => ({ upToGb: upTo, perGb }));
}

function participantsPerUnit(limits: readonly HostLimit[], scenario: string): number {
  return limits.find((limit) => limit.scenario === scenario)?.participantsPerUnit ?? 0;
}
