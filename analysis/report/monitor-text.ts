import { answerOf, type RunEntry } from '../../model/monitor.js';
import { calendarOf, cellMark } from '../monitor/calendar.js';
import { type MetricTrend, trendText, type WatchHistory } from '../monitor/stability.js';
import { durationText } from '../wording/quantity.js';
import { plural } from '../wording/wording.js';
import { wrap } from './layout.js';

const mostDaysShown = 31;
const mostAlertsShown = 10;

/** What `loadline monitor report` prints: for each watch how stable it was, when not, what moves. Ends in a newline. */
export function monitorText(histories: readonly WatchHistory[]): string {
  if (histories.length === 0) return '\nThe monitor has run nothing yet.\n';
  return `\n${histories.flatMap((history) => [...watchLines(history), '']).join('\n')}`;
}

function watchLines(history: WatchHistory): string[] {
  const { watch, runs, share, missed, alerts, trends } = history;
  if (runs.length === 0) return [`${watch}: ${share}`, `  no run, ${missed} due and not begun`];
  const unanswered = runs.filter(({ mark }) => answerOf(mark) === 'none').length;
  const tooLow = runs.filter(({ mark }) => mark.belowRequired).length;
  const repeats = runs.filter(({ repeat }) => repeat).length;
  const first = runs[0];
  const last = runs.at(-1);
  return [
    `${watch}: ${share}`,
    ...wrap(
      `${plural(runs.length, 'run')} from ${minuteOf(first?.startedAtMs)} to ${minuteOf(last?.startedAtMs)} UTC` +
        `${repeats > 0 ? `, ${plural(repeats, 'repeat')} among them` : ''}${tooLow > 0 ? `, ${tooLow} with a limit below the one required` : ''}${unanswered > 0 ? `, ${unanswered} without an answer` : ''}${missed > 0 ? `, ${missed} due and not begun` : ''}` +
        `; now ${last?.level ?? 'unknown'}`,
      2,
    ),
    ...sizeLines(runs),
    '',
    ...calendarLines(runs),
    ...(alerts.length > 0
      ? [
          '',
          '  Alerts',
          ...alerts
            .slice(-mostAlertsShown)
            .flatMap((alert) => wrap(`${minuteOf(alert.atMs)}  ${alert.text}`, 4, 80, 2)),
        ]
      : []),
    ...(trends.length > 0
      ? ['', '  Trends (the newest question; drawn are the last 24 runs)', ...trends.map(trendLine)]
      : []),
    ...(last?.run === undefined
      ? []
      : ['', `  Last run  ${last.run}, took ${durationText(last.endedAtMs - last.startedAtMs)}`]),
  ];
}

function sizeLines(runs: readonly RunEntry[]): string[] {
  const asked = [...new Set(runs.map((run) => run.asked))];
  const limits = runs.flatMap(({ mark }) => mark.limit?.stable ?? []);
  const found = limits.length === 0 ? '' : `; limits found: ${Math.min(...limits)} to ${Math.max(...limits)}`;
  return wrap(`asked: ${asked.join(', ')} (${runs.at(-1)?.mark.unit ?? 'sessions'})${found}`, 2);
}

function calendarLines(runs: readonly RunEntry[]): string[] {
  const days = calendarOf(runs, mostDaysShown);
  return [
    '  Hours of days, UTC: # all stable  x some unstable or too low  ? no answer  . no run',
    `              ${Array.from({ length: 24 }, (_, hour) => (hour % 6 === 0 ? String(hour).padEnd(6) : '')).join('')}`.trimEnd(),
    ...days.map(({ date, cells }) => `    ${date}  ${cells.map(cellMark).join('')}`),
  ];
}

const bars = '▁▂▃▄▅▆▇█';

function trendLine(trend: MetricTrend): string {
  return `    ${trend.name.padEnd(30)} ${sparkline(trend.points.map(({ value }) => value).slice(-24)).padEnd(24)} ${trendText(trend)}`;
}

/** From the lowest to the highest value; a flat line in the middle when there is no difference. */
export function sparkline(values: readonly number[]): string {
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  return values.map((value) => bars[range === 0 ? 3 : Math.round(((value - low) / range) * 7)] ?? '').join('');
}

function minuteOf(atMs: number | undefined): string {
  return atMs === undefined ? '?' : new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
}
