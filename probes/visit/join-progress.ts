import type { JoinTimes } from '../../model/trial.js';
import type { PlacedConnection } from './stream-slots.js';
import type { PageFailure } from './visited-page.js';

/**
 * How far a page has come, milliseconds from its start, which is an epoch time as those of connections are: it has
 * joined when the first of its connections is up, because further ones come with the others of its session.
 */
export function joinTimesOf(connections: readonly PlacedConnection[], startedMs: number): JoinTimes {
  const firstOf = (read: (connection: PlacedConnection) => number | undefined): number | undefined => {
    const times = connections.flatMap((connection) => read(connection) ?? []);
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - startedMs);
  };
  const answerMs = firstOf(({ answeredMs }) => answeredMs);
  const iceConnectedMs = firstOf(({ iceConnectedMs: at }) => at);
  const dtlsConnectedMs = firstOf(({ dtlsConnectedMs: at }) => at);
  return {
    ...(answerMs === undefined ? {} : { answerMs }),
    ...(iceConnectedMs === undefined ? {} : { iceConnectedMs }),
    ...(dtlsConnectedMs === undefined ? {} : { dtlsConnectedMs }),
  };
}

/** Why a page that is out of time is not up: the first step that it did not reach. */
export function outOfTime(
  connections: readonly PlacedConnection[],
  join: JoinTimes,
  deadlineMs: number,
  missing: readonly string[],
): PageFailure {
  const elapsed = `${deadlineMs / 1000} s`;
  const states = (read: (connection: PlacedConnection) => string): string =>
    [...new Set(connections.map(read))].join(', ');
  if (connections.length === 0)
    return { code: 'signalling-timeout', detail: `the page has no RTCPeerConnection after ${elapsed}` };
  if (join.answerMs === undefined)
    return { code: 'signalling-timeout', detail: `the page has no SDP answer after ${elapsed}` };
  if (join.iceConnectedMs === undefined)
    return {
      code: 'ice-timeout',
      detail: `no ICE connection in ${elapsed} (state ${states(({ iceState }) => iceState)})`,
    };
  if (join.dtlsConnectedMs === undefined) {
    const seen = states(({ connectionState }) => connectionState);
    return { code: 'dtls-timeout', detail: `no DTLS connection in ${elapsed} (state ${seen})` };
  }
  return { code: 'no-media', detail: `connected, but no ${missing.join(', no ')} after ${elapsed}` };
}
