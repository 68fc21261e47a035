import { switchSpread } from '../../analysis/judge/layer-rules.js';
import { entryBetween, kindInBaseline, sourceNetwork } from '../../analysis/measure/baseline-key.js';
import { placesIn } from '../../analysis/measure/baseline-places.js';
import { highest, lowest, sum } from '../../analysis/statistics/statistics.js';
import type { AggregateName, Aggregates } from '../../model/aggregate.js';
import { type ExpectedStream, expectedStreams, layerOf, sentStreams } from '../../model/expected-streams.js';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import { layerNames } from '../../model/layer.js';
import { hostOf } from '../../model/probe-host.js';
import { type Leg, type Participant, type ReceivedStream, receivedStreams } from '../../model/scenario.js';
import type { Baseline, ProbeRecord, StreamSummary, TrialRecord } from '../../model/trial.js';
import type { Artifacts, ProbeRow, StreamRow } from '../wire/trial-data.js';
import { type CurveStream, curveStreams } from './curve-streams.js';

/** Every probe of a trial, in the order of the scenario, with what the window came to for it. */
export function probeRows(
  record: TrialRecord,
  baseline: Baseline | null,
  kept: ReadonlyMap<string, Artifacts> = new Map(),
): ProbeRow[] {
  const streams = groupedBy(record.streams, ({ probe }) => probe);
  const reasons = groupedBy(
    record.verdict.reasons.filter(({ probe }) => probe !== undefined),
    ({ probe = '' }) => probe,
  );
  const several = new Set(record.probes.map(hostOf)).size > 1;
  return record.probes.map((probe) => {
    const { id } = probe.participant;
    const told = (reasons.get(id) ?? []).map(({ text }) => text);
    const apart = curveStreams([probe]);
    const own = (streams.get(id) ?? []).filter((stream) => !apart.some((one) => isOf(one, stream)));
    const row = probeRow(probe, { streams: own, reasons: told, baseline, apart });
    return { ...row, ...given({ host: several ? hostOf(probe) : undefined, artifacts: kept.get(id) }) };
  });
}

/** The streams that have a row of their own, in the order of their curves. */
export function streamRows({ probes, streams, verdict }: TrialRecord, baseline: Baseline | null): StreamRow[] {
  const places = placesOfStreams({ probes, streams }, baseline);
  const summaries = groupedBy(streams, ({ probe }) => probe);
  const reasons = groupedBy(verdict.reasons, ({ probe = '' }) => probe);
  return probes.flatMap((probe, index) => {
    const { id } = probe.participant;
    const told = reasons.get(id) ?? [];
    return curveStreams([probe]).map((one) => {
      const summary = summaries.get(id)?.find((stream) => isOf(one, stream));
      const values = summary?.values ?? {};
      const own = told.filter(({ stream }) => stream === undefined || isOf(one, stream));
      return compact<StreamRow>({
        probe: index,
        kind: one.of.kind,
        name: one.name,
        receivedKbps: values.bitrateKbps,
        baselineReceivedKbps:
          (summary && places.get(summary)) ?? baselineRate(probe.participant, 'receive', one.of, baseline),
        lossPercent: values.lossPercent,
        resentPercent: values.resentPercent,
        nacksPerSecond: values.nacksPerSecond,
        fps: values.fps,
        layer: summary && layerText(probe.participant, summary),
        reasons: told.length > 0 ? own.map(({ text }) => text) : failuresOf(probe),
      });
    });
  });
}

/** What each received stream was held against, where its like were unlike in the baseline. */
function placesOfStreams(
  { probes, streams }: Pick<TrialRecord, 'probes' | 'streams'>,
  baseline: Baseline | null,
): ReadonlyMap<StreamSummary, number> {
  const summaries = groupedBy(streams, ({ probe }) => probe);
  const expected = new Map<ExpectedStream, StreamSummary>();
  for (const stream of expectedStreams(probes.map(({ participant }) => participant))) {
    const { participant, leg, direction, kind } = stream;
    const isIt = (one: StreamSummary) =>
      one.direction === direction && one.leg === leg.id && one.kind === kind && one.stream === stream.stream;
    const summary = summaries.get(participant.id)?.find(isIt);
    if (direction === 'receive' && summary) expected.set(stream, summary);
  }
  const measured = [...expected].map(([stream, { values }]) => ({ stream, values }));
  const places = new Map<StreamSummary, number>();
  for (const [stream, { bitrateKbps }] of placesIn(measured, baseline)) {
    const summary = expected.get(stream);
    if (summary && bitrateKbps !== undefined) places.set(summary, bitrateKbps);
  }
  return places;
}

const failuresOf = ({ participant, failures }: ProbeRecord): string[] =>
  failures.map(({ detail }) => `${participant.id}: ${detail}`);

function isOf({ of }: CurveStream, other: Pick<StreamSummary, 'leg' | 'direction' | 'kind' | 'stream'>): boolean {
  return other.direction === 'receive' && other.leg === of.leg && other.kind === of.kind && other.stream === of.stream;
}

interface OfProbe {
  readonly streams: readonly StreamSummary[];
  readonly reasons: readonly string[];
  readonly baseline: Baseline | null;
  /** Its streams that have rows of their own. */
  readonly apart: readonly CurveStream[];
}

function probeRow(probe: ProbeRecord, { streams, reasons, baseline, apart }: OfProbe): ProbeRow {
  const { participant, browser, page, up, join } = probe;
  const { id, session, role } = participant;
  const media = streams.filter(({ kind }) => kind !== 'data');
  const received = streams.filter(({ direction }) => direction === 'receive');
  const sent = streams.filter(({ direction }) => direction === 'send');
  const told = reasons.length > 0 ? reasons : failuresOf(probe);
  return compact<ProbeRow>({
    id,
    session,
    role,
    browser,
    page,
    up,
    receivedKbps: total(received),
    sentKbps: total(sent),
    baselineReceivedKbps: baselineTotal(participant, 'receive', baseline, apart),
    baselineSentKbps: baselineTotal(participant, 'send', baseline, apart),
    lossPercent: highest(valuesOf(media, 'lossPercent')),
    resentPercent: highest(valuesOf(streams, 'resentPercent')),
    nacksPerSecond: highest(valuesOf(streams, 'nacksPerSecond')),
    fps: lowest(valuesOf(received, 'fps')),
    layer: layerTexts(participant, received),
    joinMs: join.dtlsConnectedMs,
    firstFrameMs: firstFrameWaitMs(join),
    reasons: told,
  });
}

/** The sum over all streams that are known; what never came adds nothing to it. */
function total(streams: readonly StreamSummary[]): number | undefined {
  const values = valuesOf(streams, 'bitrateKbps');
  return values.length === 0 ? undefined : sum(values);
}

/** What the baseline has for the streams that are in a probe's sums. */
function baselineTotal(
  participant: Participant,
  direction: 'send' | 'receive',
  baseline: Baseline | null,
  apart: readonly CurveStream[],
): number | undefined {
  const streams = participant.legs.flatMap((leg): readonly RatedStream[] =>
    direction === 'send'
      ? sentStreams(leg).map((stream) => ({ ...stream, sender: leg }))
      : receivedStreams(leg).filter(
          ({ kind, stream }) => !apart.some(({ of }) => of.leg === leg.id && of.kind === kind && of.stream === stream),
        ),
  );
  const rates = streams.map((stream) => baselineRate(participant, direction, stream, baseline));
  const known = rates.flatMap((rate) => rate ?? []);
  return known.length === 0 || known.length < rates.length ? undefined : sum(known);
}

/** What was asked for of a received video, and what came; `undefined` where no layer was asked for. */
function layerText({ legs }: Participant, { values, ...stream }: StreamSummary): string | undefined {
  const { name, width, turns } = layerOf(legs, stream) ?? {};
  if (width === undefined) return undefined;
  if (turns) return shownText(values);
  const { frameWidth } = values;
  return `${name} (${width} px): ${frameWidth === undefined ? 'unknown' : `${Math.round(frameWidth)} px`}`;
}

/** Where what is asked for changes: how long each layer was asked for, and how fast switches were. */
function shownText(values: Aggregates): string {
  const layers = layerNames.flatMap((name) => {
    const [percent, kbps] = [values[`${name}LayerPercent`], values[`${name}LayerKbps`]];
    return percent && kbps !== undefined ? `${name} ${Math.round(percent)} % (${Math.round(kbps)} kbit/s)` : [];
  });
  const { switches, switchP95Ms } = values;
  const switched =
    switchP95Ms === undefined ? [] : [`${Math.round(switchP95Ms)} ms to switch (${switchSpread(switches ?? 0)})`];
  return [...layers, ...switched].join(', ') || 'shown too shortly to say';
}

/** Each once. */
function layerTexts(participant: Participant, streams: readonly StreamSummary[]): string | undefined {
  const texts = new Set(streams.flatMap((stream) => layerText(participant, stream) ?? []));
  return texts.size === 0 ? undefined : [...texts].join(', ');
}

type RatedStream = Pick<ReceivedStream, 'kind' | 'from' | 'stream'> & { readonly sender?: Leg };

function baselineRate(
  { role, network }: Participant,
  direction: 'send' | 'receive',
  stream: RatedStream,
  baseline: Baseline | null,
): number | undefined {
  const source = sourceNetwork(direction, stream.from, network);
  const { kind, from, stream: name, sender: leg } = stream;
  const key = kindInBaseline({ kind, direction, ...given({ from, stream: name, leg }) });
  return baseline ? entryBetween(baseline, [role, direction, key], network, source)?.bitrateKbps : undefined;
}

function valuesOf(streams: readonly StreamSummary[], name: AggregateName): number[] {
  return streams.flatMap((stream) => stream.values[name] ?? []);
}

type Loose<T> = { readonly [Name in keyof T]: T[Name] | undefined };

/** Without what is not known, and with five figures of what is. */
function compact<Row extends ProbeRow | StreamRow>(row: Loose<Row>): Row {
  const figures = Object.entries(given(row)).map(([name, value]) => [
    name,
    typeof value === 'number' ? Number(value.toPrecision(5)) : value,
  ]);
  return Object.fromEntries(figures) as Row;
}
