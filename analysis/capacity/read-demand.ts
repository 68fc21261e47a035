import { LoadlineError } from '../../model/errors.js';
import { durationPattern, parseDuration } from '../../model/units.js';
import { meantOrKnown } from '../judge/thresholds/nearest-word.js';
import { largestLoadErlangs, poissonAbove, shareFindingNone } from '../statistics/erlang.js';
import { percentText } from '../wording/quantity.js';
import { numberNear } from '../wording/wording.js';
import { type ByChance, carriedErlangs, type Demand, type FullHouse, isOnePool, unitsAtOnce } from './ask.js';
import type { HostLimit } from './host-limit.js';

type Known = Pick<HostLimit, 'scenario' | 'unit' | 'participantsPerUnit'>;

const form = /^(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(k|M)?\s+([\p{L}-]+)(?:\/h of (\S+))?(?: of ([\w-]+))?(?:: (.+))?$/u;
const partForm = /^(\d+(?:\.\d+)?)\s*%\s+(?:of\s+)?([\w-]+)$/;
const scales: Readonly<Record<string, number>> = { k: 1000, M: 1_000_000 };
/** Above this, numbers of units are no longer exact. */
const mostUnits = 1e12;

/**
 * Reads what `--for` says: `10000 viewers`, `10,000 viewers`, `50M viewers`, `300 rooms of group`,
 * `2000 participants: 70% one-to-one, 30% group`, or arrivals by chance, `3000 calls/h of 4m`. Throws E_USAGE naming
 * the words that are known.
 */
export function readDemand(text: string, limits: readonly Known[], fullHouse?: FullHouse): Demand[] {
  const [, digits = '', scale = '', word = '', length, scenario, mix] = partsOf(text);
  const count = Number(digits.replaceAll(',', '')) * (scales[scale] ?? 1);
  if (count <= 0 || count > mostUnits) throw unreadable(text);
  if (mix !== undefined) {
    if (word !== 'participants' || length !== undefined || scenario !== undefined) throw unreadable(text);
    return mixed(text, count, mix, limits);
  }
  const limit = limitOf(word, scenario, limits, text);
  if (length !== undefined && !durationPattern.test(length)) throw noDuration(text, length);
  if (length === undefined) return [asUnits(text, count, word, limit)];
  const rate = {
    perHour: count,
    hours: parseDuration(length, '--for') / 3_600_000,
    ofParticipants: isOfParticipants(word),
  };
  return [arrivals(text, rate, limit, fullHouse)];
}

/** Whether it says how many come in a time, and not how many are there. Throws E_USAGE for what is no demand. */
export function isByRate(text: string): boolean {
  return partsOf(text)[4] !== undefined;
}

/** Throws E_USAGE for what is no demand, and for a point that elsewhere stands between thousands. */
function partsOf(text: string): readonly (string | undefined)[] {
  const parts = form.exec(text.trim());
  if (!parts) throw unreadable(text);
  const [, digits = '', scale] = parts;
  if (scale !== undefined || !/^[1-9]\d{0,2}\.\d{3}$/.test(digits)) return parts;
  const [thousands, plain] = [digits.replace('.', ','), String(Number(digits))].map((one) => text.replace(digits, one));
  throw new LoadlineError('E_USAGE', `"${digits}" may be ${thousands?.split(' ')[0]} or ${Number(digits)}.`, {
    where: '--for',
    todo: `write --for '${thousands}' or --for '${plain}'`,
  });
}

const isOfParticipants = (word: string): boolean => word === 'participants' || word === 'participant';

function asUnits(asked: string, count: number, word: string, limit: Known): Demand {
  const { scenario, participantsPerUnit, unit } = limit;
  if (!isOfParticipants(word)) return { scenario, units: wholeUnits(count), asked };
  const units = wholeUnits(count / participantsPerUnit);
  const because = `${numberNear(count)} participants are ${units} ${unit.many} of ${numberNear(participantsPerUnit)} each.`;
  return { scenario, units, asked, ...(participantsPerUnit === 1 ? {} : { because }) };
}

/** 30 % of 10 is a hair more than 3. */
function wholeUnits(count: number): number {
  return Math.ceil(count - 1e-9 * count);
}

function mixed(asked: string, count: number, mix: string, limits: readonly Known[]): Demand[] {
  const parts = mix.split(',').map((part) => {
    const [, percent = '', scenario = ''] = partForm.exec(part.trim()) ?? [];
    if (percent === '') throw unreadable(asked);
    return { percent: Number(percent), scenario };
  });
  const total = parts.reduce((sum, { percent }) => sum + percent, 0);
  if (Math.abs(total - 100) > 1e-6) {
    throw new LoadlineError('E_USAGE', `The shares of "${asked}" are ${numberNear(total)} % together.`, {
      where: '--for',
      todo: 'let them be 100 % together',
    });
  }
  return parts.map(({ percent, scenario }) => {
    const own = (count * percent) / 100;
    const demand = asUnits(asked, own, 'participants', limitOf('participants', scenario, limits, asked));
    return { ...demand, asked: `${numberNear(percent)} % of ${asked.split(':')[0]}: ${scenario}` };
  });
}

interface Rate {
  readonly perHour: number;
  /** How long each stays. */
  readonly hours: number;
  readonly ofParticipants: boolean;
}

/** Sessions come by chance, each with all of its participants. */
function arrivals(asked: string, rate: Rate, limit: Known, fullHouse: FullHouse | undefined): Demand {
  const { scenario, unit } = limit;
  const each = rate.ofParticipants ? limit.participantsPerUnit : 1;
  const load = (rate.perHour / each) * rate.hours;
  if (unit.countsParticipants || !fullHouse) {
    throw new LoadlineError('E_USAGE', `"${asked}" are arrivals by chance.`, {
      where: '--for',
      why: fullHouse
        ? `a size of ${scenario} is one session's participants, who do not come one by one and independently`
        : 'however many hosts there are, once in a while all are full',
      todo: fullHouse
        ? 'say how many there are at once'
        : 'say what may happen then: --turned-away 1% or --overloaded 1%, with --placement, or --waiting 1%',
    });
  }
  if (load > largestLoadErlangs) {
    const todo = `say how many there are at once: ${numberNear(load)} ${unit.many}`;
    throw new LoadlineError('E_USAGE', `"${asked}" is too much to be left to chance.`, { where: '--for', todo });
  }
  const byChance = { loadErlangs: load, fullHouse };
  const units = unitsAtOnce(byChance);
  const sessions = each === 1 ? '' : `${numberNear(rate.perHour / each)} ${unit.many}/h of ${numberNear(each)} each, `;
  const because = `${asked} are ${sessions}${numberNear(load)} at once on average; ${chanceText(byChance, units)}; arrivals by chance, one by one, at the same rate all the time).`;
  return { scenario, units, asked, because, byChance };
}

function chanceText(byChance: ByChance, units: number): string {
  const { loadErlangs: load, fullHouse } = byChance;
  const { what } = fullHouse;
  if (what === 'overloaded' || !isOnePool(byChance))
    return `more than ${units} are there ${percentText(poissonAbove(units, carriedErlangs(byChance)))} of the time (Poisson`;
  const share = percentText(shareFindingNone(units, load, what));
  return what === 'waits'
    ? `with ${units} places ${share} have to wait (Erlang C`
    : `one pool of ${units} places turns ${share} away (Erlang B`;
}

function limitOf(word: string, scenario: string | undefined, limits: readonly Known[], asked: string): Known {
  const named = scenario === undefined ? limits : limits.filter((limit) => limit.scenario === scenario);
  const fitting = named.filter(({ unit }) => word === unit.many || word === unit.one || isOfParticipants(word));
  const scenarios = [...new Set(fitting.map((limit) => limit.scenario))];
  const [first] = fitting;
  if (first && scenarios.length === 1) return first;
  if (first) {
    throw new LoadlineError('E_USAGE', `"${asked}" may be of ${scenarios.join(' or ')}.`, {
      where: '--for',
      todo: `name the scenario: ${asked} of ${scenarios[0]}`,
    });
  }
  const words = [...new Set(limits.flatMap(({ unit }) => [unit.many, 'participants']))];
  const [said, known] =
    named.length === 0 && scenario !== undefined
      ? [scenario, [...new Set(limits.map((limit) => limit.scenario))]]
      : [word, words];
  const counted =
    scenario === undefined && /^[\d.]+[kM]? [a-z]+$/.test(asked) ? asked.replace(word, known[0] ?? word) : undefined;
  throw new LoadlineError('E_USAGE', `No run that was named measured "${said}".`, {
    where: '--for',
    why: meantOrKnown(said, known),
    todo: `${counted ? `write --for '${counted}'` : 'ask for what the runs count'}, or name a run of that scenario`,
  });
}

function noDuration(text: string, length: string): LoadlineError {
  const meant = /^\d+$/.test(length) ? text.replace(` of ${length}`, ` of ${length}m`) : '3000 calls/h of 4m';
  const what = `"${length}" in "${text}" must be a duration with its unit.`;
  return new LoadlineError('E_USAGE', what, { where: '--for', todo: `write for example --for '${meant}'` });
}

function unreadable(text: string): LoadlineError {
  return new LoadlineError('E_USAGE', `"${text}" is no demand.`, {
    where: '--for',
    todo: "write a number and what it counts: '10000 viewers', '50M viewers', '300 rooms of group', '3000 calls/h of 4m', '2000 participants: 70% one-to-one, 30% group'",
  });
}
