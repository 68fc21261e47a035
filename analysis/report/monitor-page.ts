import { answerOf, type RunEntry } from '../../model/monitor.js';
import { type CalendarCell, calendarOf } from '../monitor/calendar.js';
import { type MetricTrend, trendText, type WatchHistory } from '../monitor/stability.js';
import { escapeMarkup } from './xml.js';

/** Says where a run's own report lies, relative to this page; undefined when there is none. */
type LinkOf = (run: string) => string | undefined;

/**
 * Stability over time as one page that needs nothing else: no script, no other file, no network. `madeAt` is told on
 * the page. Pure.
 */
export function monitorPage(histories: readonly WatchHistory[], madeAt: string, linkOf: LinkOf): string {
  const watches = histories.map((history) => watchSection(history, linkOf)).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Loadline: stability over time</title>
<style>${css}</style>
</head>
<body>
<h1>Stability over time</h1>
<p class="made">Made ${escapeMarkup(madeAt)} by Loadline. Times are UTC.</p>
${watches === '' ? '<p>The monitor has run nothing yet.</p>' : watches}
</body>
</html>
`;
}

const css = `
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#1b1f24;background:#fff}
h2{margin-top:2.5rem;border-top:1px solid #d0d7de;padding-top:1rem}
.share{font-size:1.25rem;font-weight:600}.made,small{color:#57606a}
table{border-collapse:collapse}td,th{padding:.15rem .6rem .15rem 0;text-align:left;vertical-align:middle}
.cal td,.cal th{padding:1px}.cal th{font:12px monospace;color:#57606a;padding-right:.5rem}
.c{display:block;width:22px;height:16px;border-radius:2px;background:#eaeef2;text-align:center;font:11px/16px monospace;text-decoration:none;color:#fff}
.s{background:#1a7f37}.u{background:#cf222e}.n{background:#9a6700}
.m{display:inline-block;width:9px;height:18px;margin:1px;border-radius:2px}
svg{vertical-align:middle}svg polyline{fill:none;stroke:#0969da;stroke-width:1.5}svg line{stroke:#cf222e;stroke-dasharray:3 3}
@media print{a{color:inherit}}
`;

function watchSection({ watch, runs, share, missed, alerts, trends }: WatchHistory, linkOf: LinkOf): string {
  const last = runs.at(-1);
  const told = alerts.map(
    ({ atMs, text, run }) => `<li><time>${minute(atMs)}</time> ${linked(text, run, linkOf)}</li>`,
  );
  return `<section>
<h2>${escapeMarkup(watch)}</h2>
<p class="share">${escapeMarkup(share)}</p>
<p>${runs.length} runs, ${missed} due and not begun; asked: ${escapeMarkup([...new Set(runs.map((run) => run.asked))].join(', '))} ${escapeMarkup(last?.mark.unit ?? '')}; now <b>${last?.level ?? 'unknown'}</b>.</p>
<h3>Each run</h3>
<p>${runs
    .slice(-mostMarks)
    .map((run) => runMark(run, linkOf))
    .join('')}</p>
<h3>Hours of days</h3>
${calendarTable(runs, linkOf)}
<p><small>green: every run stable; red and ×: at least one unstable, or with a limit below the one required; brown and ?: no answer; grey: no run</small></p>
${told.length === 0 ? '' : `<h3>Alerts</h3>\n<ul>${told.join('\n')}</ul>`}
${trends.length === 0 ? '' : `<h3>Trends</h3>\n<table>${trends.map(trendRow).join('\n')}</table>`}
</section>`;
}

/** Older runs are in the calendar. */
const mostMarks = 1000;

function runMark(run: RunEntry, linkOf: LinkOf): string {
  const { verdict, size, unit, belowRequired } = run.mark;
  const title = `${minute(run.startedAtMs)} ${verdict}${belowRequired ? ', below the limit required' : ''}${size === undefined ? '' : `, ${size} ${unit}`}. ${run.findings.map(({ text }) => text).join(' ')}`;
  const mark = `class="m ${classOf[answerOf(run.mark)]}" title="${escapeMarkup(title.trim())}"`;
  const link = run.run === undefined ? undefined : linkOf(run.run);
  return link === undefined ? `<span ${mark}></span>` : `<a href="${escapeMarkup(link)}" ${mark}></a>`;
}

const classOf = { good: 's', bad: 'u', none: 'n' } as const;

function calendarTable(runs: readonly RunEntry[], linkOf: LinkOf): string {
  const hours = Array.from({ length: 24 }, (_, hour) => `<th>${hour % 6 === 0 ? hour : ''}</th>`).join('');
  const rows = calendarOf(runs).map(
    ({ date, cells }) =>
      `<tr><th>${date}</th>${cells.map((cell) => `<td>${cellOf(cell, date, linkOf)}</td>`).join('')}</tr>`,
  );
  return `<table class="cal"><tr><th></th>${hours}</tr>\n${rows.join('\n')}</table>`;
}

/** A cell leads to its first run that was not stable, else to its last. Colour is never alone: a sign says the same. */
function cellOf({ hour, runs, stable, unstable, unanswered }: CalendarCell, date: string, linkOf: LinkOf): string {
  if (runs.length === 0) return '<span class="c"></span>';
  const kind = unstable > 0 ? 'u' : stable > 0 ? 's' : 'n';
  const sign = unstable > 0 ? '×' : stable > 0 ? '' : '?';
  const title = `${date} ${hour}:00: ${stable} stable, ${unstable} unstable, ${unanswered} without an answer`;
  const shown = runs.find(({ mark }) => answerOf(mark) !== 'good') ?? runs.at(-1);
  const link = shown?.run === undefined ? undefined : linkOf(shown.run);
  if (link === undefined) return `<span class="c ${kind}" title="${title}">${sign}</span>`;
  return `<a class="c ${kind}" href="${escapeMarkup(link)}" title="${title}">${sign}</a>`;
}

const width = 300;
const height = 36;

function trendRow(trend: MetricTrend): string {
  return `<tr><td>${escapeMarkup(trend.name)}</td><td>${chart(trend)}</td><td>${escapeMarkup(trendText(trend))}</td></tr>`;
}

function chart({ name, points, limit }: MetricTrend): string {
  const values = points.map(({ value }) => value);
  const near = limit !== undefined && limit <= 3 * Math.max(...values) ? [limit] : [];
  const [low, high] = [Math.min(0, ...values), Math.max(...values, ...near)];
  const from = points[0]?.atMs ?? 0;
  const span = Math.max(1, (points.at(-1)?.atMs ?? 0) - from);
  const y = (value: number) => (height - 2 - ((value - low) / Math.max(1e-9, high - low)) * (height - 4)).toFixed(1);
  const line = points.map(({ atMs, value }) => `${(((atMs - from) / span) * width).toFixed(1)},${y(value)}`).join(' ');
  const limits = near.map((value) => `<line x1="0" x2="${width}" y1="${y(value)}" y2="${y(value)}"/>`).join('');
  return `<svg width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(name)}">${limits}<polyline points="${line}"/></svg>`;
}

function linked(text: string, run: string | undefined, linkOf: LinkOf): string {
  const link = run === undefined ? undefined : linkOf(run);
  return link === undefined ? escapeMarkup(text) : `<a href="${escapeMarkup(link)}">${escapeMarkup(text)}</a>`;
}

function minute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
}
