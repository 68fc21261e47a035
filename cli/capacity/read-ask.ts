import { resolve } from 'node:path';
import type { CapacityAsk, FullHouse, Spare } from '../../analysis/capacity/ask.js';
import type { HostLimit } from '../../analysis/capacity/host-limit.js';
import { isByRate, readDemand } from '../../analysis/capacity/read-demand.js';
import { meantOrKnown } from '../../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { listedWith } from '../../model/listed.js';
import { fleetPlacements } from '../../model/placement.js';
import { hourlyPrices, type Prices, paidByMonth, pricesSchema } from '../../model/prices.js';
import { parseRate } from '../../model/units.js';
import type { Flags, ValuesOf } from '../options/flag.js';
import { usageError, wrongValue } from '../options/usage-error.js';
import { percentIn, readPace, readShare } from '../options/values.js';
import { count, share, type Written, word } from '../options/written.js';
import { readMappingFile } from '../plan-file/read-mapping-file.js';
import { readCurve } from './read-curve.js';

const mostMonths = 120;
const rate: Written<number> = { read: (text, flag) => parseRate(text, flag, ['100mbit', '10gbit']) / 1e6 };

export const capacityFlags = {
  for: {
    takes: 'demand',
    about: "what is to be carried: '10000 viewers'; may be repeated",
    suchAs: '10000 viewers',
    repeats: true,
    mustBeGiven: true,
  },
  turnedAway: { about: 'of arrivals by chance so many may find no place and go: 1%', value: share },
  waiting: { about: 'of arrivals by chance so many may have to wait in one queue: 1%', value: share },
  overloaded: { about: 'servers refuse nobody; so often hosts may have more than they are given: 1%', value: share },
  placement: {
    takes: 'way',
    about:
      'with --turned-away and --overloaded: how sessions come to hosts: least-loaded, best-of-two, round-robin, hash',
    value: word(fleetPlacements),
  },
  headroom: {
    takes: 'share',
    about: 'what of a host is left free: 20% (default: nothing)',
    value: { read: readHeadroom },
  },
  spare: { takes: 'hosts', about: "hosts that may fail, or 'zone of 3' (default: none)", value: { read: readSpare } },
  together: { about: 'sessions of all scenarios on the same hosts' },
  broadcasts: { about: 'how many sessions the viewers are in (default: 1)', value: count() },
  region: {
    takes: 'name=share',
    about: 'a place with hosts of its own: eu=40%; may be repeated',
    value: { read: readRegion },
    repeats: true,
  },
  growth: { about: 'how much the demand grows each month: 5%', value: share },
  months: {
    about: 'for that number of months (default: 12)',
    value: count({ to: mostMonths }),
    with: '--growth',
    withValue: '5%',
  },
  curve: { takes: 'file', about: 'the load over a day: a CSV of time and load' },
  link: { takes: 'rate', about: 'what a host can send: 10gbit', value: rate },
  ports: { about: 'UDP ports that the media server of a host may use', value: count({ to: 65_535, least: 10_000 }) },
  joins: {
    takes: 'n/s',
    about: 'participants a second that a host lets in (default: the pace of the runs)',
    value: { read: readPace },
  },
  relayed: { about: 'of the participants so many come through a TURN relay: 15%', value: share },
  relayLink: {
    takes: 'rate',
    about: 'what a relay host can send: 2gbit',
    value: rate,
    with: '--relayed',
    withValue: '15%',
  },
  prices: { takes: 'file', about: 'what hosts and traffic cost (docs/reference/capacity.md)' },
} as const satisfies Flags;

type Asked = ValuesOf<typeof capacityFlags>;

/** Throws E_USAGE, E_RATE, E_PLAN naming the flag or the file. */
export async function readAsk(asked: Asked, limits: readonly HostLimit[], folder: string): Promise<CapacityAsk> {
  const fullHouse = asked.for.some(isByRate) ? fullHouseOf(asked) : nothingOfChance(asked);
  const demands = asked.for.flatMap((text) => readDemand(text, limits, fullHouse));
  const { together = false, headroom = 0, spare = { kind: 'none' }, broadcasts = 1, region, curve, prices } = asked;
  if (together) assertOfSessions(demands, limits);
  const ofDemand = limits.filter(({ scenario }) => demands.some((demand) => demand.scenario === scenario));
  if (asked.broadcasts !== undefined && !ofDemand.some(({ unit }) => unit.countsParticipants)) {
    const why = 'it says in how many sessions viewers are';
    throw usageError('--broadcasts changes nothing here.', ['--broadcasts', '--for'], 'leave --broadcasts out', why);
  }
  return given({
    demands,
    headroom,
    spare,
    together,
    broadcasts,
    regions: whole(region),
    growth: asked.growth === undefined ? undefined : { perMonth: asked.growth, months: asked.months ?? 12 },
    curve: curve === undefined ? undefined : await readCurve(resolve(folder, curve)),
    linkMbps: asked.link,
    ports: asked.ports,
    joinsPerSecond: asked.joins,
    relayed: asked.relayed,
    relayMbps: asked.relayLink,
    prices: prices === undefined ? undefined : await readPrices(resolve(folder, prices), ofDemand, curve !== undefined),
  });
}

/** Throws E_USAGE for flags that are for arrivals by chance, of which there are none. */
function nothingOfChance({ turnedAway, waiting, overloaded, placement }: Asked): undefined {
  const ofChance = {
    '--turned-away': turnedAway,
    '--waiting': waiting,
    '--overloaded': overloaded,
    '--placement': placement,
  };
  const said = Object.entries(ofChance).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (said.length === 0) return;
  const why = 'so many at once are there for sure, and get hosts that hold them all';
  const todo = [{ leave: said }, "give a demand by rate: --for '3000 calls/h of 4m'"];
  throw usageError(`No --for says how many come in an hour.`, ['--for', ...said], todo, why);
}

/** Absent where nothing is left to chance. Which hosts are full is a matter of how sessions come to them. */
function fullHouseOf({ turnedAway, waiting, overloaded, placement, together = false }: Asked): FullHouse | undefined {
  const asked = [turnedAway, waiting, overloaded].filter((one) => one !== undefined);
  if (asked.length > 1) {
    const todo = 'give one of them: people who find no place go away, or wait, or are taken on all the same';
    const flags = ['--turned-away', '--waiting', '--overloaded'];
    throw usageError('These are several answers to one question.', flags, todo);
  }
  const share = turnedAway ?? overloaded;
  if (share === undefined) {
    if (placement !== undefined) {
      const flags = ['--placement', ...(waiting === undefined ? [] : ['--waiting'])];
      const verb = waiting === undefined ? 'add' : 'leave --waiting out and add';
      const ways = `${verb} --turned-away 1% where servers refuse, or --overloaded 1% where they do not`;
      const todo = waiting === undefined ? ways : `leave --placement out, or ${ways}`;
      const why = waiting === undefined ? undefined : 'who waits is in one queue before all hosts';
      throw usageError(
        `${flags.join(' with ')}${waiting === undefined ? ' alone' : ''} changes nothing.`,
        flags,
        todo,
        why,
      );
    }
    return waiting === undefined ? undefined : { share: waiting, what: 'waits' };
  }
  if (placement === undefined) {
    const why = 'with the same hosts, one way to place sessions turns twenty times as many away as another';
    const todo = `add --placement ${listedWith('or', fleetPlacements)}: the way in which your sessions come to hosts`;
    throw usageError('How do sessions come to hosts?', ['--placement'], todo, why);
  }
  if (together && placement !== 'least-loaded') {
    const todo = [{ leave: ['--together'] }, { give: { '--placement': 'least-loaded' } }];
    throw usageError(`--together is not computed with --placement ${placement}.`, ['--together'], todo);
  }
  return { share, what: turnedAway === undefined ? 'overloaded' : 'turned-away', placement };
}

function readHeadroom(text: string, flag: string): number {
  const left = readShare(text, flag);
  if (left < 1) return left;
  throw usageError('--headroom leaves nothing of a host.', ['--headroom'], { write: { '--headroom': '20%' } });
}

function readSpare(text: string): Spare {
  const zones = /^zone of (\d+)$/.exec(text.trim())?.[1];
  if (zones !== undefined) {
    const count = Number(zones);
    if (count >= 2 && count <= 100) return { kind: 'zone', zones: count };
    throw wrongValue('--spare', text, 'must be one of 2 to 100 zones', 'zone of 3');
  }
  if (!/^\d{1,6}$/.test(text.trim())) {
    throw wrongValue('--spare', text, 'must be a number of hosts, or "zone of 3"', '1', 'zone of 3');
  }
  const hosts = Number(text);
  return hosts === 0 ? { kind: 'none' } : { kind: 'hosts', hosts };
}

function readRegion(word: string, flag: string): CapacityAsk['regions'][number] {
  const [, name = '', text = ''] = /^([^=]+)=(.+)$/.exec(word) ?? [];
  if (name !== '') {
    if (percentIn(text) !== undefined) return { name, share: readShare(text, flag) };
    const share = /^\d{1,2}$/.test(text) && Number(text) > 0 ? `${text}%` : '40%';
    throw wrongValue(flag, word, 'must be a name and its share', `${name}=${share}`);
  }
  const todo = { write: { [flag]: ['eu=40%', 'us=60%'] } };
  throw new LoadlineError('E_USAGE', `"${word}" is no region and its share.`, { where: flag, todo });
}

const percentNear = (share: number): number => Number((100 * share).toPrecision(6));

function whole(regions: CapacityAsk['regions']): CapacityAsk['regions'] {
  const total = regions.reduce((sum, { share }) => sum + share, 0);
  if (regions.length === 0 || Math.abs(total - 1) < 1e-6) return regions;
  const all = [...regions, { name: 'other', share: 1 - total }].map(
    ({ name, share }) => `${name}=${percentNear(share)}%`,
  );
  throw new LoadlineError('E_USAGE', `The regions have ${(100 * total).toFixed(1)} % of the demand together.`, {
    where: '--region',
    todo: [...(total < 1 ? [{ give: { '--region': all } }] : []), 'let their shares be 100 % together'],
  });
}

/** A broadcast with its viewers on many hosts is a cascade; nobody measured what half a cascade costs a host. */
function assertOfSessions(demands: CapacityAsk['demands'], limits: readonly HostLimit[]): void {
  const one = limits.find(
    ({ scenario, unit }) => unit.countsParticipants && demands.some((demand) => demand.scenario === scenario),
  );
  if (!one) return;
  throw new LoadlineError('E_USAGE', `${one.scenario} cannot share hosts with other scenarios.`, {
    where: '--together',
    why: 'its sizes count the participants of one session, which may need several hosts',
    todo: 'leave --together out',
  });
}

/** Reads a file of prices. Throws E_PLAN with every problem, line and column; E_USAGE for a host without a price. */
async function readPrices(path: string, limits: readonly HostLimit[], overADay: boolean): Promise<Prices> {
  const written = await readMappingFile({
    path,
    what: 'prices',
    schema: pricesSchema,
    noMapping: 'a file of prices is a list of "key: value" lines, and needs currency and hosts',
    todo: 'correct these places; docs/examples/prices.yaml is a whole file, with prices per hour; perMonth takes those of a month',
  });
  const prices = hourlyPrices(written);
  const [monthly] = paidByMonth(prices);
  if (overADay && monthly !== undefined) {
    const why = 'hosts come and go by the curve, and one that is paid by the month is paid for while it is gone';
    const todo = `leave --curve out, or give "${monthly}" a price perHour`;
    throw usageError(
      `With --curve the price of "${monthly}" cannot be of a month.`,
      ['--curve', '--prices'],
      todo,
      why,
    );
  }
  const known = Object.keys(prices.hosts);
  const missing = [...new Set(limits.map(({ hostType }) => hostType))].find((hostType) => !known.includes(hostType));
  if (missing === undefined) return prices;
  throw new LoadlineError('E_USAGE', `The file of prices has no price for "${missing}".`, {
    where: path,
    why: meantOrKnown(missing, known),
    todo: 'give that kind of host a price, or call it as the file does: loadline capacity KIND=RUN',
  });
}
