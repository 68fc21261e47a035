import { type Leg, receivesMix } from '../../model/scenario.js';
import { Voice } from '../../model/speech.js';
import { startBeat } from '../../rtp/beat.js';
import type { Clock } from '../../rtp/egress.js';
import { noBytes } from '../../rtp/outgoing-packet.js';
import type { Clip } from '../page/encoded/clip-file.js';
import { paddingBytes } from '../page/encoded/light-voice.js';
import { markBytes } from '../page/frame-mark.js';
import { type Conversation, isSpoken, silentPacket } from './conversation.js';
import type { LegMarks } from './leg-marks.js';
import type { SentStream } from './sent-stream.js';
import type { ClipOrder } from './worker-wire.js';

/** One Opus packet (RFC 7587). */
const packetMs = 20;
const packetTicks = 960;
/** A microphone that was not read for longer than this has lost what is older. */
const keptPackets = 10;

/** What native probes send, and the ceiling of its pictures. */
export interface Sending extends Omit<ClipOrder, 'paths'> {
  readonly clips: readonly Clip[];
}

/**
 * What Chromium sends of silence with DTX, by its getStats: one frame of 35 bytes, and one of a byte that begins a
 * pause, each 420 ms. The frame is CELT's silence (RFC 6716, 4.3), behind which no decoder reads on.
 */
const silence: readonly Uint8Array[] = Array.from({ length: 21 }, (_, nth) =>
  nth === 0 ? new Uint8Array(35).fill(0xff).fill(0xf8, 0, 1) : nth === 1 ? Uint8Array.of(0xf8) : noBytes,
);

/** An encoder leaves nothing out before that many packets of silence (libopus, NB_SPEECH_FRAMES_BEFORE_DTX). */
const packetsBeforePause = 10;

/** What is sent of a pause that began so many packets before. */
const ofPause = (nth: number): Uint8Array =>
  (nth < packetsBeforePause ? silence[0] : silence[(nth - packetsBeforePause + 1) % silence.length]) ?? noBytes;

/** What a leg says, packet by packet, over and over. */
export interface SentVoice {
  readonly packets: readonly Uint8Array[];
  /** Absent: it makes no pauses of its own. */
  readonly speech?: Pick<Voice, 'speaks'>;
}

/** The voice of this leg: what a server mixes is the ordinary one. */
export function voiceOf({ clips: [clip], lightVoice }: Sending, leg: Leg): SentVoice {
  if (leg.muted) return { packets: silence };
  const packets = (lightVoice && !receivesMix(leg) ? clip?.lightPackets : clip?.packets) ?? [];
  return leg.speech ? { packets, speech: new Voice(leg.speech) } : { packets };
}

/** Plays the clip's voice to one stream: packets end in marks where padding has room. Returns what ends it. */
export function startSound(
  clock: Clock,
  { packets: said, speech }: SentVoice,
  stream: SentStream,
  marks: Pick<LegMarks, 'conversation'> | undefined,
): () => void {
  const { conversation } = marks ?? {};
  const packets = withoutPauses(said, conversation).map((packet) => {
    const hasRoom = marks !== undefined && paddingBytes(packet) >= markBytes;
    return { hasRoom, body: hasRoom ? packet.subarray(0, packet.length - markBytes) : packet };
  });
  let paused = 0;
  return startBeat(clock, packetMs, (first, last) => {
    for (let nth = Math.max(first, last - keptPackets + 1); nth <= last; nth += 1) {
      const packet = packets[nth % packets.length];
      if (!packet) return;
      const nowMs = clock.nowMs();
      stream.taken(nth * packetTicks, nowMs);
      if (conversation && !conversation.speaks(nowMs)) {
        stream.sendSound(silentPacket, false, nth * packetTicks, false);
        continue;
      }
      if (speech && !speech.speaks(nowMs)) {
        const body = ofPause(paused);
        if (body.length > 0) stream.sendSound(body, false, nth * packetTicks, false);
        paused += 1;
        continue;
      }
      // The first packet of a spurt of talk is marked (RFC 7587, 4.1).
      const isFirst = nth === 0 || paused > 0;
      paused = 0;
      if (packet.body.length > 0) stream.sendSound(packet.body, isFirst, nth * packetTicks, packet.hasRoom);
    }
  });
}

/** Who speaks in turns makes no pauses: they would be heard as the end of a turn. */
const withoutPauses = (voice: readonly Uint8Array[], conversation: Conversation | undefined) =>
  conversation ? voice.filter(({ length }) => isSpoken(length)) : voice;
