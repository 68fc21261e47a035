import { hoursPerMonth, paidByMonth } from '../../model/prices.js';
import { those } from '../../model/those.js';
import { highest } from '../statistics/statistics.js';
import { capital, numberNear, plural } from '../wording/wording.js';
import { type CapacityAsk, type CurvePoint, type FullHouse, spareText } from './ask.js';
import type { HostLimit } from './host-limit.js';

/** What the answer assumes and no run measured, as sentences: first what was asked, then what is taken for granted. */
export function assumptionsOf(limits: readonly HostLimit[], ask: CapacityAsk): string[] {
  return [
    ...ask.demands.flatMap(({ because }) => because ?? []),
    ...ask.demands.flatMap(({ byChance }) => (byChance ? placementText(byChance.fullHouse) : [])),
    `Each host is given ${numberNear(100 * (1 - ask.headroom))} % of what it was shown to hold${ask.headroom === 0 ? ': no head-room (--headroom)' : ', or less: a whole number of sessions'}.`,
    ...(ask.headroom === 0
      ? [
          'A limit is a size that is stable in 80 % of trials or more: without head-room, one host in five may disturb somebody in any span as long as a trial.',
        ]
      : []),
    `${capital(spareText(ask.spare))}${ask.spare.kind === 'none' ? ' (--spare)' : ''}.`,
    ...limits.flatMap((limit) => ofLimit(limit)),
    ...layoutOf(limits, ask),
    ...trafficOf(limits, ask),
    ...notLookedAt(limits, ask),
    ...timeOf(ask),
    ...pricesOf(ask),
  ];
}

const placementTexts = {
  'least-loaded': 'Each session goes to the host with the fewest (least-loaded), which knows of all at once',
  'best-of-two': 'Each session goes to the emptier of two hosts that are drawn by chance (best-of-two)',
  'round-robin': 'Each host gets a session in its turn (round-robin), however full it is',
  hash: 'Each session goes to a host by chance or by its name (hash), however full that is',
} as const;

/** By which formula, and what it takes for granted. */
const refusingTexts = {
  'least-loaded': 'somebody is turned away when all are full: Erlang B of one pool',
  'best-of-two': 'somebody is turned away when both are full: the fixed point for many hosts, over how many are there',
  'round-robin':
    'somebody is turned away when that one is full, and does not try the next: exact for stays that are spread exponentially. Constant ones turn fewer away, and ones with a long tail up to a quarter more',
  hash: 'somebody is turned away when that one is full: Erlang B of each host',
} as const;

const overloadedTexts = {
  'least-loaded': 'told is how often all together have more than they are given (Poisson)',
  'best-of-two': 'told is the share of hosts with more than they are given: the fixed point for many hosts',
  'round-robin': 'told is the share of hosts with more than they are given by chance (Poisson), which turns keep below',
  hash: 'told is the share of hosts with more than they are given (Poisson)',
} as const;

function placementText(fullHouse: FullHouse): string {
  if (fullHouse.what === 'waits') return 'Who waits does so in one queue in front of all hosts.';
  const { placement, what } = fullHouse;
  return what === 'overloaded'
    ? `${placementTexts[placement]}. Servers refuse nobody; ${overloadedTexts[placement]}.`
    : `${placementTexts[placement]}. A full host refuses, and ${refusingTexts[placement]}.`;
}

function ofLimit(limit: HostLimit): string[] {
  const { hostType, scenario, passes, atMost, sharedHost, nature, runs } = limit;
  const name = `${scenario} on ${hostType}`;
  return those(
    nature === 'simulated' && `${name}: the server exists in numbers only, so these are no hosts at all.`,
    nature === 'for-trying' && `${name}: measured on the embedded server, which no product is.`,
    passes <= 1 && `${name}: the limit rests on ${plural(passes, 'stable trial')}.`,
    atMost === null && `${name}: no larger size was shown to fail, so how few hosts would do is not known.`,
    sharedHost && `${name}: server and probes shared the host, so it may carry more alone; that was not measured.`,
    runs.length > 1 &&
      `${name}: of ${runs.length} runs the least that one was shown to hold, and the most that one may hold.`,
  );
}

function layoutOf(limits: readonly HostLimit[], { demands, broadcasts, together, regions }: CapacityAsk): string[] {
  const isOfOne = limits.some(({ unit }) => unit.countsParticipants);
  return those(
    ...(isOfOne
      ? [
          `All are in ${plural(broadcasts, 'session')} (--broadcasts), and a host carries one of them, as it was measured.`,
          'Where one session is larger than a host, hosts feed each other; a host that is fed costs the one that feeds it what a viewer does. No run measured a cascade, nor the delay that each level adds.',
        ]
      : []),
    isOfOne &&
      regions.length > 0 &&
      'Each region has an origin of its own for each session; what carries the stream from region to region is not counted.',
    together && 'Loads add up: half of one limit and half of another fill a host. No run measured the mix.',
    !together && demands.length > 1 && 'Each scenario has hosts of its own (--together shares them).',
  );
}

/** A flag that sets a bound which nothing measured can be held against: then the bound was not looked at. */
function notLookedAt(limits: readonly HostLimit[], ask: CapacityAsk): string[] {
  const namesOf = (lacks: (limit: HostLimit) => boolean) =>
    limits.filter(lacks).map(({ scenario, hostType }) => `${scenario} on ${hostType}`);
  const sentences = (flag: string, what: string, names: readonly string[]) =>
    names.map((name) => `${name}: no run knows ${what}, so ${flag} was not looked at.`);
  const noRate = namesOf(({ egress }) => !egress);
  const noConnections = namesOf(({ connectionsPerUnit }) => connectionsPerUnit === undefined);
  const noWay = namesOf((limit) => limit.ingressMbpsPerUnit === undefined);
  return [
    ...(ask.linkMbps === undefined ? [] : sentences('--link', 'its bit rate', noRate)),
    ...(ask.ports === undefined ? [] : sentences('--ports', 'its connections', noConnections)),
    ...(ask.relayed === undefined
      ? []
      : sentences('--relayed', 'all that relays would carry', [...new Set([...noRate, ...noConnections, ...noWay])])),
  ];
}

const basisTexts = {
  server: 'Bit rates are what the media server says it sent: headers of UDP and IP come on top.',
  'network device': 'Bit rates are what the network device of the server sent, all else that it sent included.',
  probes: 'Bit rates are what the probes received, without headers of RTP, UDP and IP, which come on top.',
} as const;

function trafficOf(limits: readonly HostLimit[], ask: CapacityAsk): string[] {
  const bases = [...new Set(limits.flatMap(({ egress }) => egress?.basis ?? []))];
  const unknown = limits.filter(({ egress }) => !egress).map(({ scenario }) => scenario);
  return those(
    ...bases.map((basis) => basisTexts[basis]),
    ...[...new Set(unknown)].map((scenario) => `No run of ${scenario} knows its bit rate, so traffic is not told.`),
    ask.linkMbps === undefined && 'What a host can send beside what was measured is not limited (--link).',
    ...(ask.ports === undefined
      ? ['Ports of a host are enough (--ports).']
      : ['Each connection takes one UDP port of its host.']),
    ask.relayed === undefined && 'Nobody comes through a TURN relay (--relayed).',
    ask.relayed !== undefined &&
      ask.relayMbps === undefined &&
      'What a relay host carries is not known (--relay-link), so relay hosts are not counted.',
  );
}

function timeOf({ curve, growth, regions, prices }: CapacityAsk): string[] {
  return those(
    ...(curve
      ? [
          'The curve is that of every day, and hosts come and go by its steps at once.',
          ...overNight(curve),
          'How long a host takes to start is not part of it.',
        ]
      : prices
        ? ['The busiest moment lasts all month (--curve): hosts and traffic are paid for as then.']
        : []),
    (curve || growth) && 'Kinds of host are those of the busiest moment, also at other times.',
    growth && 'Bit rates, limits and prices stay as they are while the demand grows.',
    regions.length > 0 &&
      'Each region carries its own demand with its own spare hosts; all are busiest at the same time.',
  );
}

/** The last step is not over at its line: where no line says what the night is like, that is told. */
function overNight(curve: readonly CurvePoint[]): string[] {
  const last = curve.at(-1);
  const others = highest(curve.slice(0, -1).map(({ hours }) => hours)) ?? 0;
  if (!last || last.hours <= others) return [];
  return [`The load of ${last.time} holds for ${numberNear(last.hours)} h, until ${curve[0]?.time} of the next day.`];
}

function pricesOf({ prices, demands }: CapacityAsk): string[] {
  if (!prices) return [];
  const hours = hoursPerMonth(prices);
  return those(
    `A month has ${hours} hours${prices.hoursPerMonth === undefined ? ' (hoursPerMonth)' : ''}; a GB is 10⁹ bytes.`,
    paidByMonth(prices).length > 0 && 'A price of a month (perMonth) is divided by these hours.',
    ...(prices.egress
      ? ['Traffic is billed at one place, so that its steps count all of it; between hosts, and in, it costs nothing.']
      : ['Traffic costs nothing, as the prices name no egress.']),
    demands.some(({ byChance }) => byChance) &&
      'Traffic and hours of sessions by chance are counted by how many are there on average, not by places.',
    'Relay hosts are not priced.',
  );
}
