import { resolve } from 'node:path';
import type { CapacityAsk } from '../../analysis/capacity/ask.js';
import type { HostLimit } from '../../analysis/capacity/host-limit.js';
import { type FullHouse, readDemand } from '../../analysis/capacity/read-demand.js';
import type { Spare } from '../../analysis/capacity/spare.js';
import { LoadlineError } from '../../model/errors.js';
import { parseRate } from '../../model/units.js';
import { readCount, readPace, readShare } from '../options/values.js';
import { readCurve } from './read-curve.js';
import { readPrices } from './read-prices.js';

/** The flags of `loadline capacity`, as words. */
export interface CapacityFlags {
  readonly for: readonly string[];
  readonly turnedAway?: string;
  readonly waiting?: string;
  readonly headroom?: string;
  readonly spare?: string;
  readonly together?: boolean;
  readonly broadcasts?: string;
  readonly region?: readonly string[];
  readonly growth?: string;
  readonly months: string;
  readonly curve?: string;
  readonly link?: string;
  readonly ports?: string;
  readonly joins?: string;
  readonly relayed?: string;
  readonly relayLink?: string;
  readonly prices?: string;
}

const mostMonths = 120;
/** Absent flags are absent of the ask, too. */
const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

/** Throws E_USAGE, E_RATE, E_PLAN naming the flag or the file. */
export async function readAsk(
  flags: CapacityFlags,
  limits: readonly HostLimit[],
  folder: string,
): Promise<CapacityAsk> {
  const fullHouse = readFullHouse(flags);
  const demands = flags.for.flatMap((text) => readDemand(text, limits, fullHouse));
  const together = flags.together === true;
  if (together) assertOfSessions(demands, limits);
  const asked = limits.filter(({ scenario }) => demands.some((demand) => demand.scenario === scenario));
  const read = <Value>(text: string | undefined, reader: (text: string) => Value) =>
    text === undefined ? undefined : reader(text);
  const [curve, prices] = [flags.curve, flags.prices];
  return {
    demands,
    headroom: read(flags.headroom, readHeadroom) ?? 0,
    spare: readSpare(flags.spare),
    together,
    broadcasts: read(flags.broadcasts, (text) => readCount(text, '--broadcasts')) ?? 1,
    regions: readRegions(flags.region ?? []),
    ...given('growth', readGrowth(flags)),
    ...given('curve', curve === undefined ? undefined : await readCurve(resolve(folder, curve))),
    ...given(
      'linkMbps',
      read(flags.link, (text) => parseRate(text, '--link') / 1e6),
    ),
    ...given(
      'ports',
      read(flags.ports, (text) => readCount(text, '--ports', { to: 65_535 })),
    ),
    ...given(
      'joinsPerSecond',
      read(flags.joins, (text) => readPace(text, '--joins')),
    ),
    ...given(
      'relayed',
      read(flags.relayed, (text) => readShare(text, '--relayed')),
    ),
    ...given(
      'relayMbps',
      read(flags.relayLink, (text) => parseRate(text, '--relay-link') / 1e6),
    ),
    ...given('prices', prices === undefined ? undefined : await readPrices(resolve(folder, prices), asked)),
  };
}

function readFullHouse({ turnedAway, waiting }: CapacityFlags): FullHouse | undefined {
  if (turnedAway !== undefined && waiting !== undefined) {
    const todo = 'give one of them: people who find no place either go away or wait';
    throw new LoadlineError('E_USAGE', '--turned-away and --waiting are two answers to one question.', {
      where: '--waiting',
      todo,
    });
  }
  if (waiting !== undefined) return { share: readShare(waiting, '--waiting'), atFullHouse: 'waits' };
  if (turnedAway === undefined) return undefined;
  return { share: readShare(turnedAway, '--turned-away'), atFullHouse: 'turned-away' };
}

function readHeadroom(text: string): number {
  const share = readShare(text, '--headroom');
  if (share < 1) return share;
  throw new LoadlineError('E_USAGE', '--headroom leaves nothing of a host.', {
    where: '--headroom',
    todo: 'write for example --headroom 20%',
  });
}

function readSpare(text = '0'): Spare {
  const zones = /^zone of (\d+)$/.exec(text.trim())?.[1];
  if (zones !== undefined) {
    return { kind: 'zone', zones: readCount(zones, '--spare', { from: 2, to: 100 }) };
  }
  if (!/^\d{1,6}$/.test(text.trim())) {
    throw new LoadlineError('E_USAGE', `--spare must be a number of hosts, or "zone of 3", not "${text}".`, {
      where: '--spare',
      todo: "write for example --spare 1, or --spare 'zone of 3'",
    });
  }
  const hosts = Number(text);
  return hosts === 0 ? { kind: 'none' } : { kind: 'hosts', hosts };
}

function readRegions(words: readonly string[]): CapacityAsk['regions'] {
  const regions = words.map((word) => {
    const [, name = '', share = ''] = /^([^=]+)=(.+)$/.exec(word) ?? [];
    if (name === '') {
      const todo = 'write for example --region eu=40% --region us=60%';
      throw new LoadlineError('E_USAGE', `"${word}" is no region and its share.`, { where: '--region', todo });
    }
    return { name, share: readShare(share, '--region') };
  });
  const total = regions.reduce((sum, { share }) => sum + share, 0);
  if (regions.length === 0 || Math.abs(total - 1) < 1e-6) return regions;
  throw new LoadlineError('E_USAGE', `The regions have ${(100 * total).toFixed(1)} % of the demand together.`, {
    where: '--region',
    todo: 'let their shares be 100 % together',
  });
}

function readGrowth({ growth, months }: CapacityFlags): CapacityAsk['growth'] {
  if (growth === undefined) return undefined;
  return { perMonth: readShare(growth, '--growth'), months: readCount(months, '--months', { to: mostMonths }) };
}

/** A broadcast of which some viewers are on each of many hosts is a cascade, and what half a cascade costs a host nobody measured. */
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
