import type { MediaKind } from '../../model/scenario.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { originalOf, repairedBy } from '../../rtp/rtx.js';
import type { AcceptedMedia } from './answer.js';
import { codecKey } from './codec-key.js';

/** A packet of a browser, with what the answer says of it. */
interface ReceivedPacket {
  readonly kind: MediaKind;
  readonly codec: string;
  /** What the packet is or, if it is one of RTX, what it carries again. */
  readonly packet: RtpPacket;
  readonly resent: boolean;
}

/** What the answers of an endpoint let its browser send, by payload type. */
export class Receivable {
  readonly #codecs = new Map<number, { readonly kind: MediaKind; readonly codec: string }>();
  /** Payload type of what an RTX packet carries, by its own. */
  readonly #repaired = new Map<number, number>();

  add({ kind, codecs, repairs }: AcceptedMedia): void {
    for (const codec of codecs) this.#codecs.set(codec.payloadType, { kind, codec: codecKey(codec) });
    for (const codec of repairs) this.#repaired.set(codec.payloadType, repairedBy(codec) ?? -1);
  }

  /** `undefined` for types that were not negotiated, and for RTX before its stream. `ssrcOf` tells a kind's stream. */
  read(packet: RtpPacket, ssrcOf: (kind: MediaKind) => number | undefined): ReceivedPacket | undefined {
    const known = this.#codecs.get(packet.payloadType);
    if (known !== undefined) return { ...known, packet, resent: false };
    const payloadType = this.#repaired.get(packet.payloadType) ?? -1;
    const repaired = this.#codecs.get(payloadType);
    const ssrc = repaired && ssrcOf(repaired.kind);
    const original = ssrc === undefined ? undefined : originalOf(packet, ssrc, payloadType);
    return repaired && original && { ...repaired, packet: original, resent: true };
  }
}
