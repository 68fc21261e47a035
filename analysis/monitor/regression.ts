import type { Finding, Level, MetricValue, RunEntry, RunMark } from '../../model/monitor.js';
import { highest, lowest, median } from '../statistics/statistics.js';
import { quantity } from '../wording/quantity.js';
import { capital, numberNear, plural } from '../wording/wording.js';
import { trendOf, usualOf } from './robust.js';
import { atTimeOfDay, type Comparable } from './time-of-day.js';

interface RegressionOptions {
  /** How many good runs the baseline has at most. */
  readonly window: number;
  /** When the run began. */
  readonly atMs: number;
}

/** Nothing is known any more after this many runs in a row without an answer, or after two that failed. */
const blindAfter = 3;
const memoryChanceMax = 0.01;
const memoryGrowthMin = 0.1;

/**
 * What is not as it was: this run against the last good ones that asked the same. Pure. `past` is in the order of
 * time, of this watch alone; entries of other questions in it count for nothing but runs without an answer.
 */
export function findingsOf(
  now: RunMark,
  question: string,
  past: readonly RunEntry[],
  options: RegressionOptions,
): Finding[] {
  if (now.verdict === 'void' || now.verdict === 'failed') return noAnswer(now, past);
  const same = past.filter((entry) => entry.question === question);
  const all = goodRuns(same);
  const newest = all.slice(-options.window);
  const good = atTimeOfDay(all, options.atMs, { enough: usualRunsMin, most: options.window });
  const changes = changedSurroundings(now, newest);
  const last = same.findLast(({ mark }) => mark.verdict === 'stable' || mark.verdict === 'unstable');
  // What it confirms is no run before it, and repeats come after bad runs alone.
  const confirmed = last?.findings.some(isUnconfirmed) === true ? last : undefined;
  const hard = [...verdictFinding(now, same, confirmed), ...requireFinding(now, confirmed), ...limitFinding(now, good)];
  const soft = hard.length > 0 ? [] : [...driftFindings(now, same, good), ...memoryFinding(now, same, options)];
  const told = [...hard, ...soft].map((finding) => ({ ...finding, text: [finding.text, ...changes].join(' ') }));
  const wasWorse = last?.level === 'regressed' || last?.findings.some(isUnconfirmed) === true;
  return wasWorse ? told : told.map(unconfirmed);
}

/** One run that is worse may be chance. It alarms nobody until the next one is, too. */
function unconfirmed(finding: Finding): Finding {
  if (finding.level !== 'regressed') return finding;
  return {
    ...finding,
    level: 'ok',
    unconfirmed: true,
    text: `Looked worse, and is run again at once: ${finding.text}`,
  };
}

export const isUnconfirmed = ({ unconfirmed: is }: Finding): boolean => is === true;

/**
 * The level of a run is that of its worst finding. Runs without an answer leave it, until there are too many, and so
 * does a run that has to be confirmed.
 */
export function levelOf(now: RunMark, findings: readonly Finding[], before: Level): Level {
  if (findings.some(({ level }) => level === 'blind')) return 'blind';
  if (now.verdict === 'void' || now.verdict === 'failed' || findings.some(isUnconfirmed)) return before;
  if (findings.some(({ level }) => level === 'regressed')) return 'regressed';
  return findings.some(({ level }) => level === 'warning') ? 'warning' : 'ok';
}

/** Stable, and as usual. A drift that lasts never becomes what is usual, or it would look cured. */
function goodRuns(same: readonly RunEntry[]): readonly RunEntry[] {
  return same.filter(
    ({ mark, level, findings }) =>
      mark.verdict === 'stable' &&
      level !== 'regressed' &&
      !findings.some((finding) => finding.kind === 'drift' || isUnconfirmed(finding)),
  );
}

function noAnswer(now: RunMark, past: readonly RunEntry[]): Finding[] {
  const answered = past.findLastIndex(({ mark }) => mark.verdict === 'stable' || mark.verdict === 'unstable');
  const inARow = past.length - answered;
  const why = now.reasons[0] ?? 'It is not known why.';
  const failedTwice = now.verdict === 'failed' && past.at(-1)?.mark.verdict === 'failed';
  if (failedTwice || inARow >= blindAfter) {
    const text = `${inARow} runs in a row gave no answer, so nothing is known of the server. The last: ${why}`;
    return [{ kind: 'no-answer', level: 'blind', text }];
  }
  if (now.verdict !== 'failed') return [];
  const text = `Gave no answer, and is run again at once: ${why}`;
  return [{ kind: 'no-answer', level: 'ok', unconfirmed: true, text }];
}

function verdictFinding(now: RunMark, same: readonly RunEntry[], confirmed: RunEntry | undefined): Finding[] {
  if (now.verdict !== 'unstable') return [];
  const size = now.size === undefined ? 'The baseline' : `${now.size} ${now.unit}`;
  const twice = confirmed?.mark.verdict === 'unstable' ? ', twice in a row' : '';
  const earlier = same.filter((entry) => entry !== confirmed);
  const answered = earlier
    .filter(({ mark, repeat }) => !repeat && (mark.verdict === 'stable' || mark.verdict === 'unstable'))
    .slice(-100);
  const stable = answered.filter(({ mark }) => mark.verdict === 'stable').length;
  const before = earlier.every(({ mark }) => mark.verdict !== 'stable')
    ? 'There is no stable run before it to compare with.'
    : `Of the ${plural(answered.length, 'run')} before, ${stable} ${stable === 1 ? 'was' : 'were'} stable.`;
  return [
    {
      kind: 'verdict',
      level: 'regressed',
      text: [`${size} unstable${twice}.`, ...now.reasons.slice(0, 3), before].join(' '),
    },
  ];
}

/** The size that held is stable, and yet too small. */
function requireFinding(now: RunMark, confirmed: RunEntry | undefined): Finding[] {
  if (!now.belowRequired) return [];
  const twice = confirmed?.mark.belowRequired ? ', twice in a row' : '';
  const text = `The limit of ${now.size} ${now.unit} is below what the plan requires (require)${twice}.`;
  return [{ kind: 'require', level: 'regressed', text: [text, ...now.reasons.slice(0, 2)].join(' ') }];
}

/** A limit has moved when its interval and that of the usual limit do not meet. */
function limitFinding(now: RunMark, { runs: good, when }: Comparable): Finding[] {
  const limits = good.flatMap(({ mark }) => mark.limit ?? []);
  const usual = usualOf(limits.map(({ stable }) => stable));
  if (!now.limit || !usual) return [];
  const middle = limits.find(({ stable }) => stable >= usual.median) ?? limits[0];
  const { stable, unstable } = now.limit;
  const room = 3 * usual.deviation;
  const fell = unstable !== null && unstable <= usual.median && usual.median - stable > room;
  const rose = middle?.unstable != null && stable >= middle.unstable && stable - usual.median > room;
  if (!fell && !rose) return [];
  const seen = unstable === null ? `${stable} or more` : `${stable} stable, ${unstable} not`;
  const [least, most] = [lowest(limits.map((limit) => limit.stable)), highest(limits.map((limit) => limit.stable))];
  const runs = limits.length === 1 ? 'the last good run' : `the last ${limits.length} good runs ${when}`;
  const reach = least === most ? '' : ` in the middle, from ${least} to ${most}`;
  const text =
    `The limit ${fell ? 'fell' : 'rose'}: now ${seen} (${now.unit}); in ${runs} ` +
    `it was ${numberNear(usual.median)}${reach}.`;
  const why = fell ? now.reasons.slice(0, 2) : [];
  return [{ kind: 'limit', level: fell ? 'regressed' : 'ok', text: [text, ...why].join(' ') }];
}

/** Memory of a server that stays between runs, before any load: whatever grows from run to run is not given back. */
function memoryFinding(now: RunMark, same: readonly RunEntry[], { window }: RegressionOptions): Finding[] {
  const marks = [...same.map(({ mark }) => mark), now].filter(({ verdict }) => verdict === 'stable').slice(-window);
  const values = marks.flatMap(({ serverMemoryMb }) => serverMemoryMb ?? []);
  const trend = trendOf(values);
  const from = median(values.slice(0, 3));
  const to = median(values.slice(-3));
  if (!trend || from === undefined || to === undefined) return [];
  if (trend.perStep <= 0 || trend.chance > memoryChanceMax || to < from * (1 + memoryGrowthMin)) return [];
  const text =
    `The media server's memory before load grows from run to run: ${quantity(from, 'MB')} to ${quantity(to, 'MB')} over ` +
    `${values.length} runs, ${quantity(trend.perStep, 'MB')} a run (chance of that without a trend: ${chanceText(trend.chance)}, if runs do not depend on each other).`;
  return [{ kind: 'memory', level: 'warning', text }];
}

function chanceText(chance: number): string {
  return chance < 0.001 ? 'below 0.1 %' : `${numberNear(100 * chance)} %`;
}

/** "Since then the server changed from kurento 7.2 to kurento 7.3." */
function changedSurroundings(now: RunMark, good: readonly RunEntry[]): string[] {
  const before = good.at(-1)?.mark.surroundings;
  if (!before) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now.surroundings)])];
  return names.flatMap((name) => {
    const [was = 'none', is = 'none'] = [before[name], now.surroundings[name]];
    return was === is ? [] : [`Since the last good run, the ${name} changed from ${was} to ${is}.`];
  });
}

/** A drift is what so many runs in a row agree on: one odd run is not one. */
const driftRuns = 3;
/** Fewer runs before them say too little of what is usual. */
const usualRunsMin = 8;
/** In scaled median absolute deviations; with three runs in a row, chance alone does not get there. */
const deviationsMin = 4;
/** Share of the usual value, and of the way from it to the threshold, that is worth a person's while. */
const shareMin = 0.1;

/**
 * Metrics that have moved for the worse and stayed there: each of the last three runs lies far outside of what was
 * usual in the good runs before them.
 */
function driftFindings(now: RunMark, same: readonly RunEntry[], { runs: good, when }: Comparable): Finding[] {
  const recent = [...same.filter(({ mark }) => mark.verdict === 'stable').slice(-(driftRuns - 1)), { mark: now }];
  if (recent.length < driftRuns) return [];
  const newest = new Set<RunMark>(recent.map(({ mark }) => mark));
  const before = good.filter(({ mark }) => !newest.has(mark));
  return Object.entries(now.metrics).flatMap(([name, metric]) => {
    const latest = valuesOf(name, recent);
    const earlier = valuesOf(name, before);
    if (latest.length < driftRuns || earlier.length < usualRunsMin) return [];
    const text = driftText(name, metric, latest, { values: earlier, when });
    return text === undefined ? [] : [{ kind: 'drift' as const, level: 'warning' as const, metric: name, text }];
  });
}

function valuesOf(name: string, runs: readonly { readonly mark: RunMark }[]): number[] {
  return runs.flatMap(({ mark }) => mark.metrics[name]?.value ?? []);
}

function driftText(
  name: string,
  { unit, worse, limit }: MetricValue,
  latest: readonly number[],
  earlier: { readonly values: readonly number[]; readonly when: string },
): string | undefined {
  const usual = usualOf(earlier.values);
  const now = usualOf(latest);
  if (!usual || !now) return undefined;
  const sign = worse === 'higher' ? 1 : -1;
  const nearest = Math.min(...latest.map((value) => sign * (value - usual.median)));
  // What never varied (0 % of loss) has no deviation; then the share alone decides.
  if (nearest <= 0 || nearest < deviationsMin * usual.deviation) return undefined;
  const room = limit === undefined ? Math.abs(usual.median) : Math.abs(limit - usual.median);
  if (room === 0 || nearest < shareMin * room) return undefined;
  const words = (value: number) => quantity(value, unit, limit);
  const from = `${words(usual.median)} ± ${words(usual.deviation)} (median and deviation of ${plural(earlier.values.length, 'good run')} ${earlier.when})`;
  const towards = limit === undefined ? '' : `, its limit is ${quantity(limit, unit)}`;
  return `${capital(name)} drifts: ${words(now.median)} in the middle of the last ${latest.length} runs, usual is ${from}${towards}.`;
}
