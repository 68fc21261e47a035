import type { AggregateName } from '../../model/aggregate.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import { type Participant, sourceOfStream } from '../../model/scenario.js';
import type { Baseline, StreamSummary, TrialRecord } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import { lowest, mean } from '../statistics/statistics.js';
import { baselineKey, kindInBaseline, sourceNetwork } from './baseline-key.js';
import { type PlacedValues, placesOf } from './baseline-places.js';
import { judgedFrozen } from './frozen.js';

/**
 * The baseline of the trials after this one, while a run is conducted and wherever a stored one is read: the first
 * stable trial of the run's first size gives it. Where that was disturbed, the first undisturbed one of that size takes
 * its place. Where new limits fail that trial, what it measured stays the baseline, so that the others can still be
 * judged.
 *
 * @param verdict of judging it again; its own when it was not
 */
export function baselineAfter(
  known: Baseline | null,
  firstSize: number,
  record: TrialRecord,
  verdict: Verdict = record.verdict,
): Baseline | null {
  if (record.size !== firstSize || (known && known.disturbedTrial === undefined)) return known;
  if (verdict.kind !== 'stable' && record.verdict.kind !== 'stable') return known;
  const isDisturbed = (verdict.disturbedBy ?? record.verdict.disturbedBy) !== undefined;
  // Of a drill, and of a trial that ended early, less is known than of the one that it would replace.
  if (known && (isDisturbed || record.drill || record.screened)) return known;
  const baseline = baselineOfStreams(
    record.streams,
    record.probes.map((probe) => probe.participant),
  );
  return isDisturbed ? { ...baseline, disturbedTrial: record.index } : baseline;
}

/**
 * What a trial is judged by, of what is known before it. While a disturbed trial is the baseline, others of its size
 * are judged as the first was: one of them may take its place.
 */
export function baselineFor(known: Baseline | null, firstSize: number, size: number): Baseline | null {
  return size === firstSize && known?.disturbedTrial !== undefined ? null : known;
}

/**
 * What one session alone gets on this server: the measure of all other trials of the run. `streams` and `participants`
 * are those of the baseline trial; streams that never came have no entry. Of summaries, so that a run can be resumed
 * without its samples.
 */
export function baselineOfStreams(streams: readonly StreamSummary[], participants: readonly Participant[]): Baseline {
  const people = new Map(participants.map((participant) => [participant.id, participant]));
  const keyed = streams.flatMap((stream) => {
    const participant = people.get(stream.probe);
    if (participant === undefined) return [];
    const { id, session, role, network } = participant;
    const leg = participant.legs.find(({ id }) => id === stream.leg);
    const from = leg && sourceOfStream(leg, stream.kind, stream.stream);
    const source = sourceNetwork(stream.direction, from, network);
    const { direction, kind } = stream;
    const kindOrLayer = kindInBaseline({ direction, kind, ...given({ stream: stream.stream, from, leg }) });
    const key = baselineKey([role, stream.direction, kindOrLayer], network, source);
    return { key, participant: id, session, values: stream.values };
  });
  const entries = [...groupedBy(keyed, ({ key }) => key)].flatMap(([key, group]) => {
    const entry = entryOf(group);
    return entry ? [[key, entry] as const] : [];
  });
  return { streams: Object.fromEntries(entries) };
}

function entryOf(group: readonly PlacedValues[]): Baseline['streams'][string] | undefined {
  const meanOf = (...names: readonly AggregateName[]) =>
    mean(
      group.flatMap((stream) => names.map((name) => stream.values[name]).find((value) => value !== undefined) ?? []),
    );
  const bitrateKbps = meanOf('bitrateKbps');
  if (bitrateKbps === undefined) return undefined;
  const spokenPercent = meanOf('spokenPercent');
  const others = given({
    fps: meanOf('fps'),
    rttMs: meanOf('legRttMs', 'rttMs'),
    lossPercent: meanOf('lossPercent'),
    worstLossPercent5s: meanOf('worstLossPercent5s'),
    jitterMs: meanOf('jitterMs'),
    // As it is judged, so that like is set against like.
    frozenPercent: mean(group.flatMap(({ values }) => judgedFrozen(values)?.percent ?? [])),
    mos: meanOf('mos'),
    ssim: meanOf('ssim'),
    vmaf: meanOf('vmaf'),
    // An app may show a screen in one trial where it shows a camera in another.
    frameWidth: lowest(group.flatMap(({ values }) => values.frameWidth ?? [])),
    jitterBufferMs: meanOf('jitterBufferMs'),
    legRttP95Ms: meanOf('legRttP95Ms'),
    stutterMs: meanOf('stutterMs'),
    belowLayerPercent: meanOf('belowLayerPercent'),
    aboveLayerPercent: meanOf('aboveLayerPercent'),
    lowLayerKbps: meanOf('lowLayerKbps'),
    middleLayerKbps: meanOf('middleLayerKbps'),
    highLayerKbps: meanOf('highLayerKbps'),
    spokenPercent,
    // Who speaks more sends more: that is told from how much was spoken, and not by rank.
    places: spokenPercent === undefined ? placesOf(group) : undefined,
  });
  return { bitrateKbps, ...others };
}
