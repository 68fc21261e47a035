import { given } from '../../model/given.js';
import { notConnected } from '../../model/not-connected.js';
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
  return given({
    answerMs: firstOf(({ answeredMs }) => answeredMs),
    iceConnectedMs: firstOf(({ iceConnectedMs }) => iceConnectedMs),
    dtlsConnectedMs: firstOf(({ dtlsConnectedMs }) => dtlsConnectedMs),
  });
}

/** Why a page that is out of time is not up: the first step that it did not reach. */
export function outOfTime(
  connections: readonly PlacedConnection[],
  join: JoinTimes,
  deadlineMs: number,
  missing: readonly string[],
): PageFailure {
  const elapsed = `${deadlineMs / 1000} s`;
  if (connections.length === 0 || join.answerMs === undefined) {
    const what = connections.length === 0 ? 'RTCPeerConnection' : 'SDP answer';
    return { code: 'signalling-timeout', detail: `the page has no ${what} after ${elapsed}` };
  }
  const apart = notConnected(join, elapsed, connections);
  return apart ?? { code: 'no-media', detail: `connected, but no ${missing.join(', no ')} after ${elapsed}` };
}
