import type { MetricSelector } from './metric-selector.js';

/** What media servers say of themselves, by server: how much of what they carry, and bytes where they only grow. */
const knownNames = {
  mediamtx: ['paths', 'webrtc_sessions'],
  livekit: ['livekit_room_total', 'livekit_participant_total', 'livekit_packet_bytes'],
  srs: ['srs_streams', 'srs_clients', 'srs_send_bytes_total', 'srs_receive_bytes_total'],
} as const;

const names: readonly string[] = Object.values(knownNames).flat();
const nameSet: ReadonlySet<string> = new Set(names);

export function isKnownMetric(name: string): boolean {
  return nameSet.has(name);
}

/** Curves of their own wherever a page has them, without being asked for. */
export const knownMetrics: readonly MetricSelector[] = names.map((name) => ({ text: name, name, labels: {} }));
