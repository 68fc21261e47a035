import type { LinkAddress } from '../../rtp/link-address.js';
import type { StatsEntry } from '../page/stats-report.js';
import type { LegSending } from './leg-sending.js';
import type { ReceivedStream } from './received-stream.js';
import { sentEntries } from './sent-stats.js';

interface LegReading {
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

export type WritableReport = Map<string, StatsEntry>;

/**
 * What a leg measured, as a report of webrtc-stats: what samples are made of then is what they are made of in a
 * browser. A field that a native probe cannot know is not in it: jitter buffer of video, level of sound, frames dropped
 * by a decoder. What a player makes of sound is that of a model (`SoundBuffer`).
 *
 * @param report a report of the same leg that nobody needs any more, which is written over. A report lives until the
 *   next one, longer than what is young for V8: new ones were half of what a process left behind
 */
export function legStats(reading: LegReading, report: WritableReport = new Map()): WritableReport {
  const entries = entriesOf(reading);
  for (const entry of entries) {
    const earlier = report.get(entry.id);
    if (earlier) Object.assign(earlier, entry);
    else report.set(entry.id, entry);
  }
  if (report.size === entries.length) return report;
  // Something of it is not there any more.
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function entriesOf({ atMs, streams, resentApart, rttMs, sending, own }: LegReading): readonly StatsEntry[] {
  return [
    { id: 'connection', type: 'peer-connection', timestamp: atMs },
    ...streams.map((stream) => inbound(stream, resentApart, atMs)),
    ...(sending ? sentEntries(sending, atMs) : []),
    ...(own ? routeEntries(own, { atMs, rttMs, sending }) : []),
  ];
}

function routeEntries(
  own: LinkAddress,
  { atMs, rttMs, sending }: Pick<LegReading, 'atMs' | 'rttMs' | 'sending'>,
): readonly StatsEntry[] {
  return [
    { id: 'transport', type: 'transport', timestamp: atMs, selectedCandidatePairId: 'pair' },
    {
      id: 'pair',
      type: 'candidate-pair',
      timestamp: atMs,
      localCandidateId: 'local',
      currentRoundTripTime: rttMs === undefined ? undefined : rttMs / 1000,
      availableOutgoingBitrate: sending?.rateBps,
    },
    localCandidate(own, atMs),
  ];
}

function localCandidate({ address, port, relayed }: LinkAddress, atMs: number): StatsEntry {
  return {
    id: 'local',
    type: 'local-candidate',
    timestamp: atMs,
    protocol: 'udp',
    candidateType: relayed ? 'relay' : 'host',
    relayProtocol: relayed?.protocol,
    url: relayed?.url,
    address,
    port,
  };
}

/** What came in so long may not have been read yet: of the time before that it is known what was there to play. */
const unreadMs = 100;
/** As Chromium plays sound. */
const samplesPerMs = 48;
const samplesIn = (ms: number) => Math.round(samplesPerMs * ms);

/** In one literal, of sound too: put together from parts it would take twice as much. */
function inbound(stream: ReceivedStream, resentApart: boolean, atMs: number): StatsEntry {
  const { kind, counts } = stream;
  const video = kind === 'video' ? stream : undefined;
  const { sound } = stream;
  sound?.until(atMs - unreadMs);
  return {
    id: stream.entryId,
    type: 'inbound-rtp',
    timestamp: atMs,
    kind,
    mid: stream.mid,
    lastPacketReceivedTimestamp: stream.lastPacketAtMs,
    // What came again is counted in both, as webrtc-stats has it.
    packetsReceived: counts.packets + stream.resentPackets,
    bytesReceived: counts.payloadBytes + stream.resentBytes,
    packetsLost: counts.lost,
    jitter: counts.jitterSeconds,
    retransmittedPacketsReceived: resentApart ? video?.resentPackets : undefined,
    retransmittedBytesReceived: resentApart ? video?.resentBytes : undefined,
    framesReceived: video?.framesWhole,
    framesDecoded: video?.framesDecodable,
    keyFramesDecoded: video?.keyFrames,
    freezeCount: video?.freezes.count,
    totalFreezesDuration: video && video.freezes.totalMs / 1000,
    totalInterFrameDelay: video && video.freezes.betweenMs / 1000,
    framesShown: video?.framesShown,
    nackCount: video?.nacks,
    pliCount: video?.plis,
    frameWidth: video?.pictures.now?.width,
    frameHeight: video?.pictures.now?.height,
    packetsDiscarded: sound?.discarded,
    totalSamplesReceived: sound && samplesIn(sound.playedMs(atMs - unreadMs)),
    concealedSamples: sound && samplesIn(sound.concealedMs),
    concealmentEvents: sound?.concealmentEvents,
    jitterBufferDelay: sound && (samplesPerMs * sound.waited) / 1000,
    jitterBufferEmittedCount: sound && samplesIn(sound.emittedMs),
  };
}
