import type { DrillRecord, Returned } from '../../model/drill.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import type { MemberFacts } from '../../model/run.js';
import { those } from '../../model/those.js';
import type { TrialRecord } from '../../model/trial.js';
import type { ClusterServerAsked, ServerInTrial } from '../measure/cluster-servers.js';
import { highest, lowest, median } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';
import { type ClusterAccount, type ClusterAtSize, clusterAccount, whatIsFull } from './cluster-account.js';
import { countOf } from './headline.js';

const mostNamed = 8;

/** Of a cluster: what it held beside its servers alone, how evenly they were used, and where failures began. */
export function clusterSentences(run: FinishedRun): string[] {
  const account = clusterAccount(run);
  if (!account) return [];
  const { atLimit, above, failedFirst } = account;
  return [
    ...(atLimit
      ? [sumSentence(run, account, atLimit), sessionsSentence(run, atLimit), ...useSentence(run, atLimit)]
      : []),
    ...above.flatMap((one) => failureSentence(run, one)),
    ...(failedFirst ? [firstSentence(failedFirst, account.servers)] : unclearSentence(above)),
    ...drillSentences(run),
  ];
}

function sumSentence(
  run: FinishedRun,
  { sumAlone: sum, servers, placement }: ClusterAccount,
  held: ClusterAtSize,
): string {
  const how = placement === 'command' ? 'by the placer' : placement;
  const begin = `${plural(servers.length, 'server')}, sessions placed ${how}: ${countOf(run, held.size)} held`;
  if (sum === undefined)
    return `${begin}. What each holds alone is not known (--each, or "run" in a file of --servers).`;
  const parts = servers.length > mostNamed ? '' : ` (${servers.map(({ alone }) => alone).join(' + ')})`;
  const share = sum === 0 ? '' : `, ${numberNear((100 * held.size) / sum)} % of it`;
  return `${begin}; alone they hold ${countOf(run, sum)} together${parts}${share}.`;
}

function sessionsSentence(run: FinishedRun, { size, servers }: ClusterAtSize): string {
  const counts = servers.map(({ sessions }) => sessions);
  const each =
    servers.length > mostNamed
      ? `${lowest(counts)} to ${highest(counts)} on each of ${servers.length} servers`
      : servers.map(({ server, sessions }) => `${server} ${sessions}`).join(', ');
  return `Sessions of the cluster at ${countOf(run, size)}: ${each}.`;
}

/** How full each was, and how unlike that is. */
function useSentence(run: FinishedRun, { size, servers, spread }: ClusterAtSize): string[] {
  if (!spread) return [];
  const uses = servers.map(({ use = 0 }) => 100 * use);
  const each =
    servers.length > mostNamed
      ? `${numberNear(lowest(uses) ?? 0)} to ${numberNear(highest(uses) ?? 0)} %`
      : servers.map(({ server, use = 0 }) => `${server} ${numberNear(100 * use)} %`).join(', ');
  const { p95LessP5, variation, jain } = spread;
  const words = those(
    `p95 − p5 ${numberNear(100 * p95LessP5)} points`,
    variation !== undefined && `coefficient of variation ${numberNear(variation)}`,
    jain !== undefined && `Jain's index ${numberNear(jain)}`,
  );
  return [`How full they were at ${countOf(run, size)}: ${each}; ${words.join(', ')}.`];
}

function failureSentence(run: FinishedRun, { size, servers }: ClusterAtSize): string[] {
  const failing = servers.filter((share) => share.failing > 0).sort((a, b) => b.failing - a.failing);
  if (failing.length === 0) return [];
  const named = failing
    .slice(0, mostNamed)
    .map(({ server, sessions, failing: bad }) => `${server} (${bad} of its ${plural(sessions, 'session')})`);
  const more = failing.length > mostNamed ? ` and ${failing.length - mostNamed} more` : '';
  return [
    `At ${countOf(run, size)} what failed was on ${named.join(', ')}${more}, of ${plural(servers.length, 'server')}.`,
  ];
}

function unclearSentence(above: readonly ClusterAtSize[]): string[] {
  const isSeen = above.some(({ servers }) => servers.some(({ failing }) => failing > 0));
  return isSeen ? ['Several servers failed at the same size: on which it began cannot be said.'] : [];
}

/** Why, as far as its own evidence says. */
function firstSentence(first: ServerInTrial, servers: readonly ClusterServerAsked[]): string {
  const facts = servers.find(({ server }) => server === first.server)?.facts;
  const why = whyFull(first, facts);
  return `${first.server} failed first${why === undefined ? '; nothing that it tells says of what' : `: ${why}`}.`;
}

function whyFull(first: ServerInTrial, facts: Partial<MemberFacts> = {}): string | undefined {
  const { egressMbpsMean = 0, egressDropped = 0, coresMean = 0 } = first;
  const { upLinkBps = 0, cores = 0 } = givenTo(facts);
  switch (whatIsFull(first, facts)) {
    case 'up-link':
      return `its up-link of ${numberNear(upLinkBps / 1e6)} Mbit/s was full: the server sent ${egressMbpsMean.toFixed(2)} Mbit/s, and ${plural(egressDropped, 'packet')} were dropped`;
    case 'cpu':
      return `${coresMean.toFixed(2)} of its ${numberNear(cores)} cores were in use`;
    case undefined:
      return undefined;
  }
}

/** A server that was taken away: who came back and when, and what the others saw. */
export function drillSentences(run: FinishedRun): string[] {
  return run.records.flatMap((record) => (record.drill ? sentencesOf(run, record, record.drill) : []));
}

function sentencesOf(run: FinishedRun, { size, window }: TrialRecord, drill: DrillRecord): string[] {
  const { server, lostAtMs, sessions, returned, others } = drill;
  const at = window ? ` ${seconds(lostAtMs - window.startMs)} into the window` : '';
  const begin = `Drill at ${countOf(run, size)}: ${server} was taken away${at}, with ${plural(sessions.length, 'session')} on it.`;
  return [`${begin} ${returnText(returned)}`, othersText(others)];
}

function othersText(others: DrillRecord['others']): string {
  if (!others) return 'What those on other servers saw could not be judged.';
  const { probes, verdict, reasons } = others;
  if (verdict === 'stable')
    return `The ${probes} probes on other servers saw nothing beyond the limits, over the whole window.`;
  return `Of the ${probes} probes on other servers the window is ${verdict}: ${reasons[0] ?? ''}`;
}

function returnText(returned: readonly Returned[]): string {
  if (returned.length === 0) return 'The trial ended before its participants could come back.';
  const back = returned.filter(({ backMs }) => backMs !== undefined);
  const servers = [...new Set(back.flatMap(({ server }) => server ?? []))].sort();
  const where = servers.length === 0 ? '' : ` (on ${servers.join(', ')})`;
  const noticed = spanText(returned.flatMap(({ noticedMs }) => noticedMs ?? []));
  const joined = spanText(back.flatMap(({ backMs }) => backMs ?? []));
  const unaware = returned.filter(({ noticedMs }) => noticedMs === undefined).length;
  const first = returned.find(({ failure }) => failure !== undefined);
  return those(
    `${back.length} of their ${plural(returned.length, 'participant')} came back${where}.`,
    noticed !== undefined && `They noticed after ${noticed}.`,
    unaware !== 0 && `${unaware} had not noticed when the others came back.`,
    joined !== undefined && `They had media ${joined} after they began to join again.`,
    first && `${first.participant} did not: ${first.failure}.`,
  ).join(' ');
}

/** "5.2 s (4.9 to 7.1 s)": the middle one, the first and the last. */
function spanText(ms: readonly number[]): string | undefined {
  const [middle, least, most] = [median(ms), lowest(ms), highest(ms)];
  if (middle === undefined || least === undefined || most === undefined) return undefined;
  return `${seconds(middle)} (${(least / 1000).toFixed(1)} to ${seconds(most)})`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
