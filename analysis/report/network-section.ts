import type { FinishedRun } from '../../model/finished-run.js';
import { isCleanNetwork, type Link, linksAt, lossPercentOf, type Network } from '../../model/network.js';
import type { LinkMeasure, NetworkCheck } from '../../model/network-record.js';
import { those } from '../../model/those.js';
import type { TrialRecord } from '../../model/trial.js';
import { chanceBetween, sigmas } from '../judge/link-chance.js';
import { pathSpread, videoPacketBytes } from '../judge/link-model.js';
import { timesOf } from '../judge/link-path.js';
import { leavesRateToChance } from '../judge/rate-of-chance.js';
import { type NetworkEffect, networkEffects, shareOfReasons } from '../measure/network-effects.js';
import { trialsAt } from '../measure/trials-at.js';
import { median } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';

/** A difference this small, in points of loss or percent of frames, is chance. */
const noticedPoints = 1;

/**
 * What the links did by themselves, and what came on top of it; empty without impaired networks. `sizes` are those that
 * the report shows.
 */
export function networkSentences(run: FinishedRun, sizes: readonly number[]): readonly string[] {
  const { plan, networks: facts } = run.manifest;
  if (!plan.networks) return [];
  return [
    ...(facts && facts.means !== 'none'
      ? [`Shaped by ${facts.means === 'netem' ? 'netem' : 'netem in a User-mode Linux'}: ${facts.why}.`]
      : []),
    ...plan.networks.flatMap((network) => linkSentence(network, run.records)),
    ...(plan.absoluteLimits === true
      ? ['Limits held as they are written: what a link did counts as if the server had done it.']
      : rateSentences(plan.networks)),
    ...sizes.flatMap((size) => sizeSentences(run, size)),
    ...plan.networks.flatMap((network) => unsteadySentences(network, run.records)),
    ...overflowSentences(run.records),
  ];
}

/** "poor-3g: set …; measured before 4 trials: …". */
function linkSentence(network: Network, records: readonly TrialRecord[]): string[] {
  const measured = records
    .map(({ network: record }) => record?.checks.filter((check) => check.network === network.name) ?? [])
    .filter((checks) => checks.length > 0);
  if (measured.length === 0) return [];
  const checks = measured.flat();
  const set = isCleanNetwork(network) ? 'nothing' : `${setText(network.up)} up, ${setText(network.down)} down`;
  const changes = network.steps.length === 0 ? '' : `, with ${plural(network.steps.length, 'change')} over time`;
  return [
    `${network.name}: ${set} was set${changes}. Measured before ${plural(measured.length, 'trial')}${onHosts(checks)}: ${measuredText(checks)}.`,
  ];
}

/** Where each host has the network to itself. */
function onHosts(checks: readonly NetworkCheck[]): string {
  const hosts = new Set(checks.flatMap(({ host }) => host ?? []));
  return hosts.size === 0 ? '' : ` on ${[...hosts].join(', ')}`;
}

/** A picture that stands still this much of the time, in percent, does so by chance and unevenly. */
const unsteadyFrozenPercent = 10;

/** Freezes have an allowance for chance, in which a server can hide: said where the link alone freezes pictures. */
function unsteadySentences(network: Network, records: readonly TrialRecord[]): string[] {
  const alone = records.find(({ why }) => why === 'baseline');
  if (!alone || isCleanNetwork(network)) return [];
  const onIt = new Set(
    alone.probes.flatMap(({ participant: { id, network: own } }) => (own === network.name ? [id] : [])),
  );
  const frozen = alone.streams.flatMap(({ probe, direction, kind, values }) =>
    onIt.has(probe) && direction === 'receive' && kind === 'video' ? (values.frozenPercent ?? []) : [],
  );
  const most = Math.max(0, ...frozen);
  if (most < unsteadyFrozenPercent) return [];
  return [
    `Alone on ${network.name}, the picture stood still ${numberNear(most)} % of the time already, and no two minutes of such a link are alike: freezing and frame rate are counted from there, with a wide allowance for chance in which a server can hide.`,
  ];
}

function rateSentences(networks: readonly Network[]): string[] {
  const names = networks.filter(leavesRateToChance).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `No bitrate was judged on ${names.join(' and ')}: where delays differ so much, congestion control comes to another rate in each minute, whatever the server does.`,
  ];
}

export function setText(link: Link): string {
  const { delayMs, jitterMs, rateBps, duplicatePercent, reorderPercent } = link;
  const loss = lossPercentOf(link);
  const parts = those(
    delayMs !== undefined && `${numberNear(delayMs)} ms${jitterMs ? ` ± ${numberNear(jitterMs)}` : ''}`,
    loss !== 0 && `${numberNear(loss)} % loss`,
    duplicatePercent !== undefined && `${numberNear(duplicatePercent)} % duplicates`,
    reorderPercent !== undefined && `${numberNear(reorderPercent)} % reordered`,
    rateBps !== undefined && `${numberNear(rateBps / 1000)} kbit/s`,
  );
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
}

function measuredText(checks: readonly NetworkCheck[]): string {
  const of = (way: 'up' | 'down', name: keyof LinkMeasure) =>
    median(checks.flatMap(({ measured }) => measured[way][name] ?? []));
  const roundTrip = median(checks.flatMap(({ roundTripMs }) => roundTripMs ?? []));
  const pair = (name: keyof LinkMeasure, unit: string, scale = 1) => {
    const [up, down] = [of('up', name), of('down', name)];
    return up === undefined || down === undefined
      ? []
      : [`${numberNear(up / scale)} ${unit} up and ${numberNear(down / scale)} ${unit} down`];
  };
  return [
    ...(roundTrip === undefined ? [] : [`round trip ${numberNear(roundTrip)} ms`]),
    ...pair('lossPercent', '%').map((text) => `loss ${text}`),
    ...pair('rateBps', 'kbit/s', 1000),
  ].join(', ');
}

function sizeSentences(run: FinishedRun, size: number): string[] {
  const trials = trialsAt(run.records, size);
  const effects = networkEffects(run, trials);
  const { networks = [] } = run.manifest.plan;
  return [
    ...effects.flatMap((effect) => effectSentence(run, size, effect)),
    ...(networks.length > 1 ? selectiveSentences(run, size, trials, effects) : []),
  ];
}

/** Link and server told apart: what one session alone lost on this network is the link's, the rest is not. */
function effectSentence(run: FinishedRun, size: number, effect: NetworkEffect): string[] {
  const { network, impaired, lossPercent, aloneLossPercent } = effect;
  if (!impaired || lossPercent === undefined || aloneLossPercent === undefined) return [];
  const more = lossPercent - aloneLossPercent;
  const server =
    more > chancePoints(run, effect, aloneLossPercent)
      ? `${numberNear(more)} points come from the load`
      : 'what the load adds is no more than chance';
  return [
    `At ${countOf(run, size)}, participants on ${network} lost ${numberNear(lossPercent)} % of the video they received; alone they lose ${numberNear(aloneLossPercent)} % by their links: ${server}.`,
  ];
}

/** By how much more the same links may lose another time; without end where nothing says how many packets came. */
function chancePoints(run: FinishedRun, { network, aloneKbps }: NetworkEffect, lossPercent: number): number {
  const { networks = [], timing } = run.manifest.plan;
  const packets = ((aloneKbps * 125) / videoPacketBytes) * (timing.measureMs / 1000);
  const spreads = networks
    .filter(({ name }) => name === network)
    .flatMap((one) => timesOf(one).map((atMs) => linksAt(one, atMs)))
    .map(({ up, down }) => pathSpread([up, down].map((there) => ({ there, back: {} }))));
  return (100 * chanceBetween((lossPercent / 100) * packets, Math.max(1, ...spreads), sigmas)) / packets;
}

/** Selective impairment: whether those with a bad network hurt those with a good one. */
function selectiveSentences(
  run: FinishedRun,
  size: number,
  trials: readonly TrialRecord[],
  effects: readonly NetworkEffect[],
): string[] {
  const bad = effects.filter(({ impaired }) => impaired).map(({ network }) => network);
  return effects.flatMap(({ network, impaired, fpsPercent, lossPercent, aloneLossPercent, participants }) => {
    if (impaired || bad.length === 0 || fpsPercent === undefined || lossPercent === undefined) return [];
    const failing = shareOfReasons(trials, network);
    const more = Math.max(0, lossPercent - (aloneLossPercent ?? 0));
    const hurt = failing > 0 || more > noticedPoints || fpsPercent < 100 - 5 * noticedPoints;
    const seen = `${numberNear(fpsPercent)} % of the frame rate and ${numberNear(more)} points more loss than alone`;
    const verdict = hurt
      ? `${failing} of them failed a limit: with ${bad.join(' and ')} beside them they are worse off`
      : `those on ${bad.join(' and ')} do not hurt them`;
    return [`At ${countOf(run, size)}, the ${participants} participants on ${network} have ${seen}; ${verdict}.`];
  });
}

function overflowSentences(records: readonly TrialRecord[]): string[] {
  const lost = records.reduce((sum, { network }) => sum + (network?.overflow ?? 0), 0);
  const unknown = records.filter(({ network, verdict }) => {
    return network && network.overflow === undefined && verdict.kind !== 'void';
  }).length;
  return those(
    lost > 0 &&
      `Warning: ${unknown > 0 ? 'at least ' : ''}${plural(lost, 'packet')} were lost because what shapes the links had no time for them; they count as the server's.`,
    unknown > 0 &&
      `Warning: in ${plural(unknown, 'trial')} it is unknown whether what shapes the links had time for every packet.`,
  );
}
