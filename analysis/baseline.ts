import type { Sample } from '../model/sample.js';
import type { Participant } from '../model/scenario.js';
import type { Baseline, StreamSummary } from '../model/trial.js';
import { mean } from './statistics.js';
import { summariseStreams, type TimeWindow } from './window.js';

/** `caller/receive/video`: streams that are alike have one baseline. */
export function baselineKey(role: string, direction: 'send' | 'receive', kind: 'audio' | 'video'): string {
  return `${role}/${direction}/${kind}`;
}

/**
 * What one session alone gets on this server: the measure of all other trials of the run.
 * `samples` and `participants` are those of the baseline trial. Streams that never came have no entry.
 */
export function baselineOf(
  samples: readonly Sample[],
  participants: readonly Participant[],
  window: TimeWindow,
): Baseline {
  return baselineOfStreams(summariseStreams(samples, participants, window), participants);
}

/** The same from a stored record's stream summaries, so that a run can be resumed without its samples. */
export function baselineOfStreams(streams: readonly StreamSummary[], participants: readonly Participant[]): Baseline {
  const roles = new Map(participants.map((participant) => [participant.id, participant.role]));
  const groups = new Map<string, StreamSummary[]>();
  for (const stream of streams) {
    const role = roles.get(stream.probe);
    if (role === undefined) continue;
    const key = baselineKey(role, stream.direction, stream.kind);
    groups.set(key, [...(groups.get(key) ?? []), stream]);
  }
  const entries = [...groups].flatMap(([key, group]) => {
    const entry = entryOf(group);
    return entry ? [[key, entry] as const] : [];
  });
  return { streams: Object.fromEntries(entries) };
}

function entryOf(group: readonly StreamSummary[]): Baseline['streams'][string] | undefined {
  const meanOf = (...names: readonly string[]) =>
    mean(
      group.flatMap((stream) => names.map((name) => stream.values[name]).find((value) => value !== undefined) ?? []),
    );
  const bitrateKbps = meanOf('bitrateKbps');
  if (bitrateKbps === undefined) return undefined;
  const fps = meanOf('fps');
  const rttMs = meanOf('legRttMs', 'rttMs');
  const lossPercent = meanOf('lossPercent');
  return {
    bitrateKbps,
    ...(fps === undefined ? {} : { fps }),
    ...(rttMs === undefined ? {} : { rttMs }),
    ...(lossPercent === undefined ? {} : { lossPercent }),
  };
}
