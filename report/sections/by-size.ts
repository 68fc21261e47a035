import { shownThresholds } from '../../analysis/judge/summary.js';
import { countOf, unitOf } from '../../analysis/report/headline.js';
import { ascending } from '../../analysis/statistics/statistics.js';
import { numberNear, unitAfter } from '../../analysis/wording/wording.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import { type ThresholdId, thresholdKey } from '../../model/threshold-id.js';
import type { TrialRecord } from '../../model/trial.js';
import type { ThresholdResult } from '../../model/verdict.js';
import { html, type Markup, nothing } from '../html.js';
import { type Axis, type Line, type Mark, niceTicks, plot, thinned } from '../plot.js';
import { thresholdTerm } from './definitions.js';
import { edgeFigure } from './edge.js';

interface Value {
  readonly record: TrialRecord;
  readonly value: number | null;
  /** The trial failed by it because nothing could be measured: nobody joined, or nothing came. */
  readonly failed?: boolean;
  /** Between which two it is, where more is not known of it. */
  readonly between?: readonly [number, number];
}

interface Metric {
  /** Absent: no limit is on it. */
  readonly id?: ThresholdId;
  readonly label: string;
  readonly unit: string;
  readonly values: readonly Value[];
  readonly limit?: number;
  readonly comparison?: ThresholdResult['comparison'];
}

/** A limit is drawn in the lower part, so that what is far beyond it does not flatten what is near it. */
const limitsShown = 4;

/** Each metric against size, with its limit; what server and hosts used beside them. */
export function bySizeSection(run: FinishedRun): Markup {
  const judged = [...thresholdMetrics(run.records), ...loadMetrics(run)].filter(({ values }) =>
    values.some(({ value, failed, between }) => value !== null || failed || between),
  );
  if (judged.length === 0) return nothing;
  return html`<section aria-labelledby="h-by-size"><h2 id="h-by-size">By size</h2>
<p class="note">Each mark is one trial at its worst probe; the dashed line is the limit. What lies far beyond it stands at the edge with an arrow, and what failed without a value with a cross. A line alone spans what is not known more closely.</p>
${edgeFigure(run, xAxis(run))}
<div class="multiples">${judged.map((metric) => html`<figure><figcaption>${metric.id ? thresholdTerm(metric.label, metric.id) : metric.label}${unitText(metric)}</figcaption>${metricPlot(run, metric)}</figure>`)}</div>
<details><summary>Table</summary><div class="scroll" tabindex="0" role="region" aria-label="Every metric by trial">${metricTable(run, judged)}</div></details></section>`;
}

function unitText({ unit, label }: Metric): string {
  const after = unitAfter(unit).trim();
  return after === '' || label.endsWith(` ${after}`) ? '' : `, ${after}`;
}

function thresholdMetrics(records: readonly TrialRecord[]): Metric[] {
  const last = new Map(
    records.flatMap(({ verdict }) => verdict.thresholds.map((result) => [thresholdKey(result.id), result] as const)),
  );
  const shown = new Map(
    records.map((record) => [
      record,
      new Map(shownThresholds(record).map((result) => [thresholdKey(result.id), result] as const)),
    ]),
  );
  return [...last].map(([key, { id, label, unit, limit, comparison }]) => {
    const scale = unit === 'ms' && limit >= 1000 ? 1000 : 1;
    return {
      id,
      label,
      unit: scale === 1000 ? 's' : unit,
      limit: limit / scale,
      comparison,
      values: records.map((record) => {
        const result = shown.get(record)?.get(key);
        const { worst = null, upTo } = result ?? {};
        if (worst !== null && upTo !== undefined)
          return { record, value: null, between: [worst / scale, upTo / scale] };
        const failed = worst === null && result?.passed === false && record.verdict.kind === 'unstable';
        return { record, value: worst === null ? null : worst / scale, failed };
      }),
    };
  });
}

function loadMetrics({ records, manifest }: FinishedRun): Metric[] {
  const { cores, upLinkBps } = givenTo(manifest.server);
  const of = (
    label: string,
    unit: string,
    read: (record: TrialRecord) => number | undefined,
    limit?: number,
  ): Metric => ({
    label,
    unit,
    values: records.map((record) => ({ record, value: read(record) ?? null })),
    ...(limit === undefined ? {} : { limit, comparison: 'at-most' as const }),
  });
  return [
    of('server CPU, mean', 'cores', ({ load }) => load.serverCoresMean, cores),
    of('server memory, most', 'MB', ({ load }) => load.serverRssMbMax),
    of('server up-link, mean', 'Mbit/s', ({ load }) => load.serverEgressMbpsMean, upLinkBps && upLinkBps / 1e6),
    of('probe host CPU, mean', '%', ({ load }) => load.probeHostBusyPercentMean),
  ];
}

function metricPlot(run: FinishedRun, metric: Metric): Markup {
  const known = metric.values.flatMap(({ record, value }) => (value === null ? [] : { record, value }));
  const spans = metric.values.flatMap(({ record, between }) => (between ? [{ size: record.size, between }] : []));
  const y = yAxis(metric, Math.max(0, ...known.map(({ value }) => value), ...spans.map(({ between }) => between[1])));
  const x = xAxis(run);
  const { limit, comparison } = metric;
  const ends = limit === undefined ? [] : ([x.from, x.to] as const).map((at) => [at, limit] as const);
  const lines: Line[] = limit === undefined ? [] : [{ look: 'limit', points: ends }];
  lines.push(...spans.map(({ size, between }): Line => ({ look: 'bracket', points: between.map((at) => [size, at]) })));
  const marks = known.map(
    ({ record, value }): Mark => ({
      x: record.size,
      y: value,
      look: record.verdict.kind,
      text: `trial ${record.index}, ${countOf(run, record.size)}: ${numberNear(value)} ${metric.unit}, ${record.verdict.kind}`,
      beyond: value > y.to,
    }),
  );
  const unmeasured = metric.values.flatMap(({ record, failed }): Mark[] => {
    const text = `trial ${record.index}, ${countOf(run, record.size)}: not measured, which is a failure`;
    return failed ? [{ x: record.size, y: comparison === 'at-least' ? 0 : y.to, look: 'unmeasured', text }] : [];
  });
  const last = [
    ...known.map(({ record, value }) => `${record.size}: ${numberNear(value)}`),
    ...spans.map(({ size, between }) => `${size}: ${notKnown(between)}`),
    ...unmeasured.map(({ x: size }) => `${size}: not measured`),
  ].join(', ');
  const asked = limit === undefined ? '' : `, limit ${limit}`;
  const summary = `against ${unitOf(run).many}${asked}; ${last}`;
  return plot({ title: metric.label, summary, x, y, lines, marks: [...marks, ...unmeasured], heightRem: 8 });
}

function yAxis({ limit, comparison, unit }: Metric, most: number): Axis {
  const whole = comparison === 'at-least' ? (unit === 'MOS' ? 4.5 : Math.max(100, most)) : 0;
  const wanted = Math.max(whole, most, (limit ?? 0) * 1.2);
  const to = (limit === undefined || comparison === 'at-least' ? wanted : Math.min(wanted, limit * limitsShown)) * 1.06;
  return {
    from: 0,
    to: to || 1,
    ticks: niceTicks(to || 1, 4).map((at) => ({ at, text: numberNear(at) })),
    label: '',
  };
}

function xAxis(run: FinishedRun): Axis {
  const sizes = ascending([...new Set(run.records.map(({ size }) => size))]);
  const [first = 0] = sizes;
  const last = sizes.at(-1) ?? 1;
  const room = Math.max(0.5, (last - first) * 0.06);
  const ticks = apart(sizes, (last - first) / 6).map((at) => ({ at, text: String(at) }));
  return { from: first - room, to: last + room, ticks, label: '' };
}

/** Sizes from the largest down whose labels do not overlap. */
function apart(sizes: readonly number[], gap: number): number[] {
  const kept: number[] = [];
  for (const size of [...sizes].reverse()) {
    const above = kept.at(-1);
    if (above === undefined || above - size >= gap) kept.push(size);
  }
  return thinned(kept.reverse(), 8);
}

const notKnown = ([from, to]: readonly [number, number]) => `not known, ${numberNear(from)} to ${numberNear(to)}`;

function metricTable(run: FinishedRun, metrics: readonly Metric[]): Markup {
  const cell = (one: Value | undefined) =>
    html`<td>${one?.value != null ? numberNear(one.value) : one?.between ? notKnown(one.between) : one?.failed ? '✗ not measured' : '–'}</td>`;
  return html`<table><thead><tr><th scope="col">trial</th><th scope="col">${unitOf(run).many}</th><th scope="col">verdict</th>
${metrics.map((metric) => html`<th scope="col">${metric.label}${unitText(metric)}</th>`)}</tr></thead>
<tbody>${run.records.map(
    (
      record,
      index,
    ) => html`<tr><th scope="row">${record.index}</th><td>${record.size}</td><td>${record.verdict.kind}</td>
${metrics.map(({ values }) => cell(values[index]))}</tr>`,
  )}</tbody></table>`;
}
