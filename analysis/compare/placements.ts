import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { isSimulated } from '../../model/plan.js';
import { namesNoLimit } from '../../model/run.js';
import { clusterOf, serversIn, spreadOfUse, sumAlone } from '../measure/cluster-servers.js';
import { highest } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';

interface PlacedRun {
  readonly placement: string;
  readonly held: number;
  readonly sum?: number;
  /** How unlike the servers are used at what it held. */
  readonly p95LessP5?: number;
}

/** Which placement did better, where the runs are of the same servers under several; else nothing. */
export function placementSentences(runs: readonly FinishedRun[]): string[] {
  const placed = runs.flatMap((run) => placedRun(run) ?? []);
  const clusters = new Set(runs.map(serversText));
  if (placed.length < runs.length || clusters.size > 1) return [];
  if (new Set(placed.map(({ placement }) => placement)).size < 2) return [];
  const unit = runs[0]?.manifest.unit?.many ?? 'sessions';
  const most = highest(placed.map(({ held }) => held));
  const best = placed.filter(({ held }) => held === most).map(({ placement }) => placement);
  const rest = placed.filter(({ held }) => held !== most);
  if (rest.length === 0) return [`Placed ${[...new Set(best)].join(' or ')}, the same servers held ${most} ${unit}.`];
  const others = rest.map(({ placement, held }) => `${held} placed ${placement}`);
  return [
    `Placed ${[...new Set(best)].join(' or ')}, the same servers held ${most} ${unit}, and ${others.join(', ')}.`,
    ...placed.flatMap(shareSentence),
  ];
}

function shareSentence({ placement, held, sum, p95LessP5 }: PlacedRun): string[] {
  if (sum === undefined || sum === 0) return [];
  const spread =
    p95LessP5 === undefined ? '' : `; servers were used unlike by ${numberNear(100 * p95LessP5)} points (p95 − p5)`;
  return [`Placed ${placement}: ${numberNear((100 * held) / sum)} % of what they hold alone together${spread}.`];
}

function placedRun(run: FinishedRun): PlacedRun | undefined {
  const cluster = clusterOf(run.manifest);
  const { stable, outcome } = run.answer;
  if (!cluster || namesNoLimit(outcome)) return undefined;
  const record = run.records.findLast(({ size, verdict }) => size === stable && verdict.kind === 'stable');
  const spread = record && spreadOfUse(serversIn(record, cluster));
  const sum = sumAlone(cluster);
  return {
    placement: cluster.placement,
    held: stable,
    ...given({ sum, p95LessP5: spread?.p95LessP5 }),
  };
}

/** What the servers are, whatever they weigh: weights are part of how sessions are placed. */
function serversText({ manifest }: FinishedRun): string {
  const servers = clusterOf(manifest)?.servers ?? [];
  return JSON.stringify(
    servers.map(({ server, hostType, alone, facts: { url: _, pid: __, ...facts } = { url: '', pid: 0 } }) => [
      server,
      hostType,
      isSimulated(manifest.plan.server) ? alone : facts,
    ]),
  );
}
