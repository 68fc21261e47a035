import type { StatsEntry, StatsReport } from '../page/stats-report.js';
import type { LegSending } from './leg-sending.js';
import type { LinkAddress } from './link-address.js';
import type { ReceivedStream } from './received-stream.js';
import { sentEntries } from './sent-stats.js';

export interface LegReading {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly streams: readonly ReceivedStream[];
  readonly resentApart: boolean;
  readonly rttMs: number | undefined;
  /** Absent where nothing is sent. */
  readonly sending?: LegSending | undefined;
  /** Its own end of the selected pair; `undefined` before it is connected. */
  readonly own: LinkAddress | undefined;
}

/**
 * What a leg measured, as a report of webrtc-stats: what samples are made of then is what they are made of in a browser. A field that a native
 * probe cannot know is not in it: jitter buffer, concealment, level of sound, frames dropped by a decoder.
 */
export function legStats({ atMs, streams, resentApart, rttMs, sending, own }: LegReading): StatsReport {
  const entries: StatsEntry[] = [
    { id: 'connection', type: 'peer-connection', timestamp: atMs },
    ...streams.map((stream) => inbound(stream, resentApart, atMs)),
    ...(sending ? sentEntries(sending, atMs) : []),
  ];
  if (own) {
    entries.push(
      { id: 'transport', type: 'transport', timestamp: atMs, selectedCandidatePairId: 'pair' },
      {
        id: 'pair',
        type: 'candidate-pair',
        timestamp: atMs,
        localCandidateId: 'local',
        ...(rttMs === undefined ? {} : { currentRoundTripTime: rttMs / 1000 }),
        ...(sending ? { availableOutgoingBitrate: sending.rateBps } : {}),
      },
      { id: 'local', type: 'local-candidate', timestamp: atMs, protocol: 'udp', ...candidate(own) },
    );
  }
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function candidate({ address, port, relayed }: LinkAddress) {
  const type = relayed ? { candidateType: 'relay', relayProtocol: relayed.protocol } : { candidateType: 'host' };
  return { ...type, address, port };
}

function inbound(stream: ReceivedStream, resentApart: boolean, atMs: number): StatsEntry {
  const { kind, counts } = stream;
  return {
    id: `inbound-${kind}-${counts.ssrc}`,
    type: 'inbound-rtp',
    timestamp: atMs,
    kind,
    lastPacketReceivedTimestamp: stream.lastPacketAtMs,
    // What came again is counted in both, as webrtc-stats has it.
    packetsReceived: counts.packets + stream.resentPackets,
    bytesReceived: counts.payloadBytes + stream.resentBytes,
    packetsLost: counts.lost,
    jitter: counts.jitterSeconds,
    ...(kind === 'video' ? video(stream, resentApart) : {}),
  };
}

function video(stream: ReceivedStream, resentApart: boolean) {
  const { size, freezes } = stream;
  return {
    ...(resentApart ? { retransmittedPacketsReceived: stream.resentPackets } : {}),
    framesReceived: stream.framesWhole,
    framesDecoded: stream.framesDecodable,
    keyFramesDecoded: stream.keyFrames,
    freezeCount: freezes.count,
    totalFreezesDuration: freezes.totalMs / 1000,
    nackCount: stream.nacks,
    pliCount: stream.plis,
    ...(size ? { frameWidth: size.width, frameHeight: size.height } : {}),
  };
}
