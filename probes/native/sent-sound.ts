import { startBeat } from '../../rtp/beat.js';
import type { Clock } from '../../rtp/egress.js';
import type { SentStream } from './sent-stream.js';

/** One Opus packet (RFC 7587). */
const packetMs = 20;
const packetTicks = 960;
/** A microphone that was not read for longer than this has lost what is older. */
const keptPackets = 10;

/** Plays the clip's voice to one stream. Returns what ends it. */
export function startSound(clock: Clock, voice: readonly Uint8Array[], stream: SentStream): () => void {
  return startBeat(clock, packetMs, (first, last) => {
    for (let nth = Math.max(first, last - keptPackets + 1); nth <= last; nth += 1) {
      const packet = voice[nth % voice.length];
      if (!packet) return;
      stream.taken(nth * packetTicks, clock.nowMs());
      // The first packet of a spurt of talk is marked (RFC 7587, 4.1), and this is one that never ends.
      stream.sendSound(packet, nth === 0, nth * packetTicks);
    }
  });
}
