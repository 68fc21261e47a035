import { given } from '../model/given.js';
import { type Link, lossPercentOf, type Network } from '../model/network.js';
import { type Participant, participantsOf, type Scenario, type Session } from '../model/scenario.js';
import { withSources } from './each-leg.js';

type Share = Pick<Network, 'name' | 'sharePercent'> & Partial<Pick<Network, 'up'>>;

/**
 * The same scenario with its participants dealt out to networks, in the order in which these stand in the plan, so that
 * as few sessions as possible have members on two. With several networks the baseline is as many sessions as there are
 * networks, each on one of them: what a session gets alone is another thing on each. With `oneBaseline` the first
 * network is the measure of all.
 */
export function onNetworks(
  scenario: Scenario,
  networks: readonly Share[] | undefined,
  { oneBaseline = false } = {},
): Scenario {
  const [first] = networks ?? [];
  if (!networks || !first) return scenario;
  const inBaseline = oneBaseline ? [first] : networks;
  const baselineSize = Math.max(scenario.baselineSize, inBaseline.length);
  const worst = worstFirst(networks);
  return {
    ...scenario,
    baselineSize,
    sessions: (size) => {
      const sessions = scenario.sessions(size);
      const dealt = size === baselineSize ? oneEach(sessions, inBaseline) : byShare(sessions, networks);
      return placed(sessions, dealt, worst);
    },
  };
}

/** The most harmful first: by loss, then by rate, then by delay. */
const worstFirst = (networks: readonly Share[]): readonly string[] =>
  [...networks].sort(byHarm).map(({ name }) => name);

function byHarm({ up: one = {} }: Share, { up: other = {} }: Share): number {
  const rate = (link: Link) => link.rateBps ?? Number.MAX_VALUE;
  const delay = ({ delayMs = 0, jitterMs = 0 }: Link) => delayMs + jitterMs;
  return lossPercentOf(other) - lossPercentOf(one) || rate(one) - rate(other) || delay(other) - delay(one);
}

/** A source that an app does not name counts as on the worst network of the other members. */
function placed(
  sessions: readonly Session[],
  networkOf: ReadonlyMap<string, string>,
  worst: readonly string[],
): readonly Session[] {
  const place = (participant: Participant, among: readonly Participant[]): Participant => {
    const network = networkOf.get(participant.id);
    const isOfAnother = (name: string) => among.some(({ id }) => id !== participant.id && networkOf.get(id) === name);
    const networkOfSource = (id: string) => networkOf.get(id) ?? worst.find(isOfAnother);
    const legs = participant.legs.map((leg) =>
      withSources(leg, (source) => given({ network: networkOfSource(source.participant) })),
    );
    return { ...participant, legs, ...given({ network }) };
  };
  return sessions.map(({ participants, ...session }) => ({
    ...session,
    participants: participants.map((one) => place(one, participants)),
  }));
}

/** Whole sessions; where there is one session only, its members of each role in turn. */
function oneEach(sessions: readonly Session[], networks: readonly Share[]): ReadonlyMap<string, string> {
  const name = (index: number) => networks[index % networks.length]?.name ?? '';
  if (sessions.length >= networks.length) {
    return new Map(
      sessions.flatMap(({ participants }, index) => participants.map(({ id }) => [id, name(index)] as const)),
    );
  }
  const seen = new Map<string, number>();
  return new Map(
    participantsOf(sessions).map(({ id, role }) => {
      const index = seen.get(role) ?? 0;
      seen.set(role, index + 1);
      return [id, name(index)] as const;
    }),
  );
}

function byShare(sessions: readonly Session[], networks: readonly Share[]): ReadonlyMap<string, string> {
  const ids = participantsOf(sessions).map(({ id }) => id);
  const names = countsOf(ids.length, networks).flatMap((count, index) =>
    Array(count).fill(networks[index]?.name ?? ''),
  );
  return new Map(ids.map((id, index) => [id, names[index] ?? '']));
}

/**
 * How many participants of all have each network: by the largest remainders, and each at least one where there are
 * enough, or the question would not be asked at that size.
 */
export function countsOf(participants: number, networks: readonly Share[]): readonly number[] {
  const exact = networks.map(({ sharePercent }) => (participants * sharePercent) / 100);
  const least = participants >= networks.length ? 1 : 0;
  const counts = exact.map((value) => Math.max(least, Math.floor(value + 1e-9)));
  const total = () => counts.reduce((sum, count) => sum + count, 0);
  const furthest = (sign: 1 | -1, may: (count: number) => boolean) =>
    counts
      .map((count, index) => ({ index, count, behind: sign * ((exact[index] ?? 0) - count) }))
      .filter(({ count }) => may(count))
      .sort((a, b) => b.behind - a.behind)[0]?.index;
  while (total() !== participants) {
    const grow = total() < participants;
    const index = furthest(grow ? 1 : -1, (count) => grow || count > least);
    if (index === undefined) break;
    counts[index] = (counts[index] ?? 0) + (grow ? 1 : -1);
  }
  return counts;
}
