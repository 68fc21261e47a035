import { type ServerShare, serverShares } from '../measure/placed-sessions.js';
import type { FinishedRun } from '../search/result.js';
import { spreadAmong } from '../statistics/spread.js';
import { highest, lowest } from '../statistics/statistics.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';
import { sizeShown } from './shown-sizes.js';

const mostNamed = 8;

/** Of a run on a cluster: what each server had at the limit, and which of them the failures above it were on. */
export function clusterSentences(run: FinishedRun, failedSizes: readonly number[]): string[] {
  const shown = sizeShown(run);
  const held = run.records.findLast(({ size, verdict }) => size === shown && verdict.kind === 'stable');
  const shares = held ? serverShares(held) : [];
  const failed = failedSizes.flatMap((size) => {
    const trial = run.records.find((record) => record.size === size && record.verdict.kind === 'unstable');
    return trial ? failureSentence(run, size, serverShares(trial)) : [];
  });
  return [...(held ? spreadSentence(run, held.size, shares) : []), ...failed];
}

function spreadSentence(run: FinishedRun, size: number, shares: readonly ServerShare[]): string[] {
  const counts = shares.map(({ sessions }) => sessions);
  const spread = spreadAmong(counts);
  if (!spread) return [];
  const each =
    shares.length > mostNamed
      ? `${lowest(counts)} to ${highest(counts)} on each of ${shares.length} servers`
      : shares.map(({ server, sessions }) => `${server} ${sessions}`).join(', ');
  const even = spread.jain === undefined ? '' : `; Jain's index ${numberNear(spread.jain)}`;
  return [`Sessions of the cluster at ${countOf(run, size)}: ${each}${even}.`];
}

function failureSentence(run: FinishedRun, size: number, shares: readonly ServerShare[]): string[] {
  const failing = shares.filter((share) => share.failing > 0).sort((a, b) => b.failing - a.failing);
  if (failing.length === 0) return [];
  const named = failing
    .slice(0, mostNamed)
    .map(({ server, sessions, failing: bad }) => `${server} (${bad} of its ${plural(sessions, 'session')})`);
  const more = failing.length > mostNamed ? ` and ${failing.length - mostNamed} more` : '';
  return [
    `At ${countOf(run, size)} what failed was on ${named.join(', ')}${more}, of ${plural(shares.length, 'server')}.`,
  ];
}
