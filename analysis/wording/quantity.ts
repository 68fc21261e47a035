import type { ThresholdResult } from '../../model/verdict.js';
import { numberNear, unitAfter } from './wording.js';

/** A value of a threshold as a person reads it: times in s from 1 s on, each with its unit. */
export function quantity(value: number, unit: string, limit?: number): string {
  if (unit === 'ms' && (limit ?? value) >= 1000) {
    return `${numberNear(value / 1000, limit === undefined ? undefined : limit / 1000)} s`;
  }
  return `${numberNear(value, limit)}${unitAfter(unit)}`;
}

/** What was measured at the worst: "0.4 %", "not measured", or "not known, 0 to 5 %". */
export function worstText({ worst, measured, upTo, unit, limit }: ThresholdResult & WithMeasured): string {
  if (worst === null) return 'not measured';
  const value = quantity(measured ?? worst, unit, limit);
  return upTo === undefined
    ? value
    : `not known, ${value.replace(unitAfter(unit), '')} to ${quantity(upTo, unit, limit)}`;
}

interface WithMeasured {
  /** Where `worst` excuses some of it. */
  readonly measured?: number;
}

/**
 * "measured 6.5 %; its link explains 5.9 %, up to 7.2 % by chance", or "counted as 1.98 %: …"; `undefined` where a
 * value is judged as it was measured.
 */
export function countedText(threshold: ThresholdResult & WithMeasured): string | undefined {
  const { ofLink, unit, comparison, measured: whole, worst, limit } = threshold;
  if (whole !== undefined && worst !== null)
    return `counted as ${quantity(worst, unit, limit)}: one freeze in a window under a minute may be chance`;
  if (!ofLink) return undefined;
  const { measured, share, withChance } = ofLink;
  const [explained, most] = [quantity(share, unit), quantity(withChance, unit)];
  const byChance = explained === most ? '' : `, ${comparison === 'at-most' ? 'up' : 'down'} to ${most} by chance`;
  return `measured ${quantity(measured, unit)}; its link explains ${explained}${byChance}`;
}

export function percentText(share: number): string {
  return `${neverZero(100 * share)} %`;
}

/** As a person reads it, with as many decimals as it takes to say that it is not nothing. */
export function neverZero(value: number): string {
  const text = numberNear(value);
  if (text !== '0' || value === 0) return text;
  return Math.abs(value) < 1e-6 ? 'less than 0.000001' : Number(value.toPrecision(2)).toFixed(6).replace(/0+$/, '');
}

/** "2 h 5 min", "20 min 41 s", "38 s". */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`;
}

/** A time of the plan, as it was set: minutes where they are whole. */
export function setTimeText(ms: number): string {
  return ms >= 120_000 && ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Number((ms / 1000).toFixed(1))} s`;
}
