import { entryBetween } from '../../analysis/measure/baseline-key.js';
import type { AggregateName } from '../../model/aggregate.js';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { type Participant, receivedStreams } from '../../model/scenario.js';
import type { Baseline, ProbeRecord, StreamSummary, TrialRecord } from '../../model/trial.js';
import type { Artifacts, ProbeRow } from '../wire/trial-data.js';

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
  return record.probes.map((probe) => {
    const { id } = probe.participant;
    const told = (reasons.get(id) ?? []).map(({ text }) => text);
    const row = probeRow(probe, streams.get(id) ?? [], told, baseline);
    const artifacts = kept.get(id);
    return artifacts ? { ...row, artifacts } : row;
  });
}

function probeRow(
  { participant, browser, page, up, join, failures }: ProbeRecord,
  streams: readonly StreamSummary[],
  reasons: readonly string[],
  baseline: Baseline | null,
): ProbeRow {
  const { id, session, role } = participant;
  const received = streams.filter(({ direction }) => direction === 'receive');
  const sent = streams.filter(({ direction }) => direction === 'send');
  const told = reasons.length > 0 ? reasons : failures.map(({ detail }) => `${id}: ${detail}`);
  return compact({
    id,
    session,
    role,
    browser,
    page,
    up,
    receivedKbps: total(received),
    sentKbps: total(sent),
    baselineReceivedKbps: baselineTotal(participant, 'receive', baseline),
    baselineSentKbps: baselineTotal(participant, 'send', baseline),
    lossPercent: largest(streams, 'lossPercent'),
    resentPercent: largest(streams, 'resentPercent'),
    nacksPerSecond: largest(streams, 'nacksPerSecond'),
    fps: smallest(received, 'fps'),
    joinMs: join.dtlsConnectedMs ?? join.iceConnectedMs,
    firstFrameMs: firstFrameWaitMs(join),
    reasons: told,
  });
}

/** Of all streams or of none: the sum of a part would look like a poor probe. */
function total(streams: readonly StreamSummary[]): number | undefined {
  const values = streams.flatMap(({ values: { bitrateKbps } }) => bitrateKbps ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

function baselineTotal(
  { role, legs, network }: Participant,
  direction: 'send' | 'receive',
  baseline: Baseline | null,
): number | undefined {
  if (!baseline) return undefined;
  const kinds = legs.flatMap((leg) =>
    direction === 'send' ? leg.sends : receivedStreams(leg).map(({ kind }) => kind),
  );
  const rates = kinds.map((kind) => entryBetween(baseline, [role, direction, kind], network, network)?.bitrateKbps);
  const known = rates.flatMap((rate) => rate ?? []);
  return known.length === 0 || known.length < rates.length ? undefined : known.reduce((sum, rate) => sum + rate, 0);
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
function compact(row: Loose<ProbeRow>): ProbeRow {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? Number(value.toPrecision(5)) : value]),
  ) as unknown as ProbeRow;
}
