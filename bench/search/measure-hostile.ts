import { nextStep } from '../../analysis/search/search.js';
import { type SearchOptions, searchSchema } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { randomFrom } from '../../tests/random.js';
import type { HostileRow, HostileServer } from './hostile-server.js';

/** Shares are percentages of the row's servers. */
export interface HostileQuality {
  /** The headline says something that is not so: a limit that is none, "not even one", or drift where there is none. */
  readonly falsePercent: number;
  /** Of the limits that are named, those that truly pass at least 80 % of their trials. */
  readonly trulyStablePercent: number;
  readonly driftingPercent: number;
  /** Of named limits, in multiples of the largest that is truly stable: the mean, and what nine in ten are above. */
  readonly ofTrue: number;
  readonly ofTrue10: number;
  /** Void, a limit that the probes set, or an interval of a search that gave up. */
  readonly unansweredPercent: number;
  readonly trials: number;
  readonly trials95: number;
  readonly mostTrials: number;
}

/** What one search came to; plain data, so that a worker can send it. */
export interface HostileSearch {
  readonly isFalse: boolean;
  /** Of a limit that is named: whether it truly passes often enough. */
  readonly trulyStable?: boolean;
  /** Of such a limit: in multiples of the largest size that truly passes often enough. */
  readonly ofTrue?: number;
  readonly drifting: boolean;
  readonly unanswered: boolean;
  readonly trials: number;
}

export interface Searched {
  readonly server: HostileServer;
  readonly history: readonly TrialOutcome[];
  readonly answer: Answer;
}

const stableShare = 0.8;

/** Searches servers of a row by their numbers: each is seeded by its own, so that parts make the same whole. */
export function searchServers(row: HostileRow, from: number, to: number): HostileSearch[] {
  return Array.from({ length: to - from }, (_, index) => tell(searchOne(row, from + index), row.drifts));
}

/** The server of this number, with what else the plan asks of its search. */
export function searchOne(
  { name, draw, max = 2048 }: Pick<HostileRow, 'name' | 'draw' | 'max'>,
  nth: number,
  asked: Partial<SearchOptions> = {},
): Searched {
  const random = randomFrom((nth + 1) * 7919 + 131 * name.length);
  return search(searchSchema.parse({ max, ...asked }), draw(random), random);
}

export function qualityOf(told: readonly HostileSearch[]): HostileQuality {
  const trials = told.map((one) => one.trials).sort((a, b) => a - b);
  const shares = told.flatMap(({ ofTrue }) => ofTrue ?? []).sort((a, b) => a - b);
  const percent = (fits: (one: HostileSearch) => boolean, of: readonly HostileSearch[] = told) =>
    of.length === 0 ? 100 : (100 * of.filter(fits).length) / of.length;
  return {
    falsePercent: percent(({ isFalse }) => isFalse),
    trulyStablePercent: percent(
      ({ trulyStable }) => trulyStable === true,
      told.filter(({ trulyStable }) => trulyStable !== undefined),
    ),
    driftingPercent: percent(({ drifting }) => drifting),
    unansweredPercent: percent(({ unanswered }) => unanswered),
    ofTrue: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    ofTrue10: shares[Math.floor(shares.length / 10)] ?? 0,
    trials: trials.reduce((sum, count) => sum + count, 0) / told.length,
    trials95: trials[Math.floor(trials.length * 0.95)] ?? 0,
    mostTrials: trials.at(-1) ?? 0,
  };
}

function tell(searched: Searched, drifts: boolean): HostileSearch {
  const { answer, history } = searched;
  return {
    isFalse: isFalse(searched, drifts),
    ...(hasLimit(searched) ? { trulyStable: isTrulyStable(searched), ofTrue: ofTrue(searched) } : {}),
    drifting: answer.outcome === 'drifting',
    unanswered: answer.outcome === 'void' || answer.outcome === 'probe-limited' || answer.cutShort === true,
    trials: history.length,
  };
}

export function search(options: SearchOptions, server: HostileServer, random: () => number): Searched {
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return { server, history, answer: step.answer };
    const { size } = step;
    const carries = random() < server.chance(size, history);
    const noticed = server.crowd?.(size, !carries, random);
    const passes = noticed ? noticed.by === 0 : carries;
    const cores = server.cores?.(size, history);
    const cost = cores === undefined ? {} : { cost: { serverCores: cores } };
    const isDisturbed = server.disturbedShare !== undefined && random() < server.disturbedShare;
    const steers = isDisturbed && !server.believesDisturbed ? ({ screened: true, disturbed: true } as const) : {};
    const counted = noticed ? { noticed } : {};
    if (passes) history.push({ size, verdict: 'stable', ...cost, ...steers, ...counted });
    else if (isDisturbed) history.push({ size, verdict: 'void', probesExhausted: false });
    else history.push({ size, verdict: 'unstable', ...counted });
  }
}

function hasLimit({ answer }: Searched): boolean {
  return answer.outcome === 'found' || answer.outcome === 'reached-max';
}

/** By halves: where a larger size passes more often than a smaller one, one of those at which the chance falls. */
function ofTrue({ server, history, answer }: Searched): number {
  let [least, most] = [1, 8192];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (server.truth(middle, history.slice(0, -1)) >= stableShare) least = middle;
    else most = middle;
  }
  return answer.stable / least;
}

/** As the server was in the last trial. */
function isTrulyStable({ server, history, answer }: Searched): boolean {
  return server.truth(answer.stable, history.slice(0, -1)) >= stableShare;
}

function isFalse(searched: Searched, drifts: boolean): boolean {
  const { server, answer } = searched;
  if (answer.outcome === 'drifting') return !drifts;
  // Not even one, now or when the search began.
  if (answer.outcome === 'baseline-unstable') return server.truth(1, []) >= stableShare;
  return hasLimit(searched) && !isTrulyStable(searched);
}
