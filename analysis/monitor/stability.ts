import {
  type AlertEntry,
  answerOf,
  type MetricValue,
  type MissedEntry,
  type MonitorEntry,
  type RunEntry,
} from '../../model/monitor.js';
import { anytimeLowerBound, anytimeUpperBound } from '../statistics/binomial.js';
import { median } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { trendOf } from './robust.js';

export interface WatchHistory {
  readonly watch: string;
  /** In the order of time. */
  readonly runs: readonly RunEntry[];
  readonly missed: number;
  readonly alerts: readonly AlertEntry[];
  /** "287 of 288 stable: at least 97.6 % at 95 %, if runs are independent"; of runs that had an answer. */
  readonly share: string;
  readonly stable: number;
  readonly answered: number;
  readonly trends: readonly MetricTrend[];
}

export interface MetricTrend {
  readonly name: string;
  readonly unit: string;
  readonly worse: MetricValue['worse'];
  readonly limit?: number;
  /** Of the newest runs of the newest question that has an answer. */
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
  readonly first: number;
  readonly last: number;
  /** By Mann-Kendall at 1 %, over these points; `steady`: no trend is shown. */
  readonly direction: 'rises' | 'falls' | 'steady';
}

const trendChanceMax = 0.01;
/** All pairs of a year's runs would be a billion; the newest tell whether it moves now, and from where. */
const mostPoints = 500;

export function historiesOf(journal: readonly MonitorEntry[]): WatchHistory[] {
  const runs = journal.filter((entry): entry is RunEntry => entry.type === 'run');
  const missed = journal.filter((entry): entry is MissedEntry => entry.type === 'missed');
  const alerts = journal.filter((entry): entry is AlertEntry => entry.type === 'alert');
  // One that was due and never begun is no watch in order.
  return [...new Set([...runs, ...missed].map(({ watch }) => watch))].sort().map((watch) => {
    const own = runs.filter((run) => run.watch === watch);
    // Repeats come after bad runs alone: to count them would count bad times twice.
    const answered = own.filter(({ mark, repeat }) => !repeat && answerOf(mark) !== 'none');
    const stable = answered.filter(({ mark }) => answerOf(mark) === 'good').length;
    return {
      watch,
      runs: own,
      missed: missed.filter((entry) => entry.watch === watch).reduce((sum, { dueAtMs }) => sum + dueAtMs.length, 0),
      alerts: alerts.filter((alert) => alert.watch === watch),
      share: shareText(stable, answered.length),
      stable,
      answered: answered.length,
      trends: trendsOf(own),
    };
  });
}

/** What so many stable runs say of the true share, whenever that is read: most of all when something has happened. */
export function shareText(stable: number, answered: number): string {
  if (answered === 0) return 'no run with an answer yet';
  const range =
    stable === 0
      ? `at most ${percent(anytimeUpperBound(0, answered), 'up')}`
      : `at least ${percent(anytimeLowerBound(stable, answered), 'down')}`;
  return `${stable} of ${answered} stable: ${range} at 95 %, if runs are independent`;
}

/** One decimal, rounded away from what would be claimed too much. */
function percent(share: number, to: 'up' | 'down'): string {
  const round = to === 'up' ? Math.ceil : Math.floor;
  return `${round(share * 1000) / 10} %`;
}

function trendsOf(runs: readonly RunEntry[]): MetricTrend[] {
  const question = runs.findLast(({ mark }) => answerOf(mark) !== 'none')?.question;
  const same = runs.filter((run) => run.question === question && run.mark.verdict !== 'void');
  const names = [...new Set(same.flatMap(({ mark }) => Object.keys(mark.metrics)))];
  return names.flatMap((name) => {
    const points = same
      .flatMap(({ startedAtMs, mark }) => {
        const metric = mark.metrics[name];
        return metric ? [{ atMs: startedAtMs, value: metric.value }] : [];
      })
      .slice(-mostPoints);
    const metric = same.findLast(({ mark }) => mark.metrics[name])?.mark.metrics[name];
    const values = points.map(({ value }) => value);
    if (!metric) return [];
    const { unit, worse, limit } = metric;
    const first = median(values.slice(0, 3)) ?? 0;
    const last = median(values.slice(-3)) ?? 0;
    return [
      {
        name,
        unit,
        worse,
        ...(limit === undefined ? {} : { limit }),
        points,
        first,
        last,
        direction: directionOf(values),
      },
    ];
  });
}

function directionOf(values: readonly number[]): MetricTrend['direction'] {
  const trend = trendOf(values);
  if (!trend || trend.chance > trendChanceMax) return 'steady';
  return trend.balance > 0 ? 'rises' : 'falls';
}

/** What lies further apart than this at both ends is not called steady, though no trend is shown. */
const steadyShare = 0.1;

/** "steady at 21 ms", "rises from 21 ms to 84 ms", "from 21 ms to 30 ms, no trend shown". */
export function trendText({ first, last, unit, direction }: MetricTrend): string {
  const words = (value: number) => `${numberNear(value)}${unit === '' || unit === 'MOS' ? '' : ` ${unit}`}`;
  if (direction !== 'steady') return `${direction} from ${words(first)} to ${words(last)}`;
  const isSteady = Math.abs(last - first) <= steadyShare * Math.max(Math.abs(first), Math.abs(last));
  return isSteady ? `steady at ${words(last)}` : `from ${words(first)} to ${words(last)}, no trend shown`;
}
