import { entryBetween, sourceNetwork } from '../../analysis/measure/baseline-key.js';
import { placesIn } from '../../analysis/measure/baseline-places.js';
import type { AggregateName } from '../../model/aggregate.js';
import { type ExpectedStream, expectedStreams } from '../../model/expected-streams.js';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { hostOf } from '../../model/probe-host.js';
import { type Participant, type ReceivedStream, receivedStreams } from '../../model/scenario.js';
import type { Baseline, ProbeRecord, StreamSummary, TrialRecord } from '../../model/trial.js';
import type { Artifacts, ProbeRow, StreamRow } from '../wire/trial-data.js';
import { type CurveStream, curveStreams } from './curve-streams.js';

/** Every probe of a trial, in the order of the scenario, with what the window came to for it. */
export function probeRows(
  record: TrialRecord,
  baseline: Baseline | null,
  kept: ReadonlyMap<string, Artifacts> = new Map(),
): ProbeRow[] {
  const streams = grouped(record.streams, ({ probe }) => probe);
  const reasons = grouped(
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
    const artifacts = kept.get(id);
    return { ...row, ...(several ? { host: hostOf(probe) } : {}), ...(artifacts ? { artifacts } : {}) };
  });
}

/** The streams that have a row of their own, in the order of their curves. */
export function streamRows({ probes, streams, verdict }: TrialRecord, baseline: Baseline | null): StreamRow[] {
  const places = placesOfStreams({ probes, streams }, baseline);
  const summaries = grouped(streams, ({ probe }) => probe);
  const reasons = grouped(verdict.reasons, ({ probe = '' }) => probe);
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
  const summaries = grouped(streams, ({ probe }) => probe);
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

/** What is known of one probe beside its record. */
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
    lossPercent: largest(streams, 'lossPercent'),
    resentPercent: largest(streams, 'resentPercent'),
    nacksPerSecond: largest(streams, 'nacksPerSecond'),
    fps: smallest(received, 'fps'),
    joinMs: join.dtlsConnectedMs ?? join.iceConnectedMs,
    firstFrameMs: firstFrameWaitMs(join),
    reasons: told,
  });
}

/** The sum over all streams, or nothing where one is unknown: a partial sum would look like a poor probe. */
function total(streams: readonly StreamSummary[]): number | undefined {
  const values = streams.flatMap(({ values: { bitrateKbps } }) => bitrateKbps ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
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
      ? leg.sends.map((kind) => ({ kind }))
      : receivedStreams(leg).filter(
          ({ kind, stream }) => !apart.some(({ of }) => of.leg === leg.id && of.kind === kind && of.stream === stream),
        ),
  );
  const rates = streams.map((stream) => baselineRate(participant, direction, stream, baseline));
  const known = rates.flatMap((rate) => rate ?? []);
  return known.length === 0 || known.length < rates.length ? undefined : known.reduce((sum, rate) => sum + rate, 0);
}

type RatedStream = Pick<ReceivedStream, 'kind' | 'from'>;

function baselineRate(
  { role, network }: Participant,
  direction: 'send' | 'receive',
  { kind, from }: RatedStream,
  baseline: Baseline | null,
): number | undefined {
  const source = sourceNetwork(direction, from, network);
  return baseline ? entryBetween(baseline, [role, direction, kind], network, source)?.bitrateKbps : undefined;
}

function largest(streams: readonly StreamSummary[], name: AggregateName): number | undefined {
  const values = streams.flatMap((stream) => stream.values[name] ?? []);
  return values.length === 0 ? undefined : Math.max(...values);
}

function smallest(streams: readonly StreamSummary[], name: AggregateName): number | undefined {
  const values = streams.flatMap((stream) => stream.values[name] ?? []);
  return values.length === 0 ? undefined : Math.min(...values);
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

type Loose<T> = { readonly [Name in keyof T]: T[Name] | undefined };

/** Without what is not known, and with five figures of what is. */
function compact<Row extends ProbeRow | StreamRow>(row: Loose<Row>): Row {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? Number(value.toPrecision(5)) : value]),
  ) as unknown as Row;
}
