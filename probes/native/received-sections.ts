import type { MediaKind } from '../../model/scenario.js';
import { elementAt } from '../../rtp/rtp.js';
import { WayEstimate } from '../../rtp/way-estimate.js';
import type { AgreedMedia } from './agreed-media.js';
import type { ReceivedPacket } from './received-packet.js';
import type { ReceivedStream } from './received-stream.js';
import type { SoundBuffer } from './sound-buffer.js';

/** SSRCs that no description names are learned from their packets, and forgotten together where there are too many. */
const learnedMost = 256;

/** A media section in which the server sends, and whose stream that is. */
export interface AgreedSection extends AgreedMedia {
  /** Absent where a leg's streams need no name. */
  readonly stream?: string | undefined;
}

/** One of these sections, with what came in it: of a stream whose SSRC changed, the new one. */
export class ReceivedSection {
  readonly kind: MediaKind;
  readonly mid: string;
  /** Of video: what the way to it carries. */
  way = new WayEstimate(90_000);
  received: ReceivedStream | undefined;
  readonly #midBytes: Buffer;

  constructor(public agreed: AgreedSection) {
    this.kind = agreed.kind;
    this.mid = agreed.mid;
    this.#midBytes = Buffer.from(agreed.mid, 'latin1');
  }

  /** From here on this is its stream, whose times are its own. */
  begin(stream: ReceivedStream): ReceivedStream {
    stream.framesBefore = this.received?.framesShown ?? 0;
    this.received?.close();
    this.received = stream;
    this.way = new WayEstimate(90_000);
    return stream;
  }

  /** Whether the element that begins there has its mid. */
  isNamedAt(bytes: Buffer, at: number): boolean {
    const mine = this.#midBytes;
    if (((bytes[at] ?? 0) & 0x0f) + 1 !== mine.length) return false;
    for (let nth = 0; nth < mine.length; nth += 1) if (bytes[at + 1 + nth] !== mine[nth]) return false;
    return true;
  }
}

/** The sections of a leg, and which of them a packet is of (RFC 8843, 9.2). */
export class ReceivedSections {
  #all: readonly ReceivedSection[] = [];
  #byMid = new Map<string, ReceivedSection>();
  #described = new Map<number, ReceivedSection>();
  readonly #learned = new Map<number, ReceivedSection>();
  /** Of payload types that are of one section alone. */
  #byType = new Map<number, ReceivedSection>();
  /** Of sections that are gone: what still comes of it is of nobody, whatever its payload type. */
  readonly #ended = new Set<number>();
  #midId: number | undefined;

  /**
   * From here on these are all. One that goes on with the same stream is the same; what came in another one is of
   * nobody any more.
   */
  agree(agreed: readonly AgreedSection[]): void {
    const before = this.#byMid;
    this.#all = agreed.map((section) => {
      const known = before.get(section.mid);
      const goesOn = known && known.kind === section.kind && known.agreed.stream === section.stream;
      if (!goesOn) return new ReceivedSection(section);
      known.agreed = section;
      return known;
    });
    const all = new Set(this.#all);
    for (const one of before.values()) if (!all.has(one)) one.received?.close();
    for (const [ssrc, one] of [...this.#described, ...this.#learned]) if (!all.has(one)) this.#end(ssrc);
    this.#byMid = new Map(this.#all.map((one) => [one.mid, one]));
    this.#described = new Map(this.#all.flatMap((one) => one.agreed.ssrcs.map((ssrc) => [ssrc, one])));
    for (const [ssrc, one] of this.#described) {
      this.#ended.delete(ssrc);
      this.#unlearn(ssrc, one);
    }
    this.#byType = typesOfOne(this.#all);
    this.#midId = agreed.find(({ midId }) => midId !== undefined)?.midId;
  }

  get all(): readonly ReceivedSection[] {
    return this.#all;
  }

  /** The sound that pictures of this stream belong to. */
  soundOf(stream: string | undefined): SoundBuffer | undefined {
    return this.#all.find(({ kind, agreed }) => kind === 'audio' && agreed.stream === stream)?.received?.sound;
  }

  /** `undefined`: nothing says whose it is. A packet that says its `mid` is of that section, whatever its SSRC was. */
  of(packet: ReceivedPacket): ReceivedSection | undefined {
    const { ssrc } = packet;
    const known = this.#learned.get(ssrc) ?? this.#described.get(ssrc);
    const { bytes, end } = packet;
    const at = this.#midId === undefined ? undefined : elementAt(bytes, end, this.#midId);
    if (at !== undefined) {
      if (known?.isNamedAt(bytes, at)) return known;
      const mid = bytes.toString('latin1', at + 1, at + 2 + ((bytes[at] ?? 0) & 0x0f));
      return this.#learn(ssrc, this.#byMid.get(mid));
    }
    if (known || this.#ended.has(ssrc)) return known;
    return this.#learn(ssrc, this.#byType.get(packet.payloadType));
  }

  /** What came before it was described may have been taken for the only stream of its kind that there was. */
  #unlearn(ssrc: number, described: ReceivedSection): void {
    const learned = this.#learned.get(ssrc);
    this.#learned.delete(ssrc);
    if (learned === undefined || learned === described || learned.received?.counts.ssrc !== ssrc) return;
    learned.received.close();
    learned.received = undefined;
  }

  #end(ssrc: number): void {
    this.#learned.delete(ssrc);
    if (this.#ended.size >= learnedMost) this.#ended.clear();
    this.#ended.add(ssrc);
  }

  #learn(ssrc: number, section: ReceivedSection | undefined): ReceivedSection | undefined {
    if (!section) return undefined;
    if (this.#learned.size >= learnedMost) this.#learned.clear();
    this.#learned.set(ssrc, section);
    return section;
  }
}

/** By payload types, those that have one by themselves. */
function typesOfOne(sections: readonly ReceivedSection[]): Map<number, ReceivedSection> {
  const byType = new Map<number, ReceivedSection | undefined>();
  for (const one of sections) {
    const { codecs, repairs } = one.agreed;
    for (const type of new Set([...codecs.keys(), ...repairs.keys()]))
      byType.set(type, byType.has(type) ? undefined : one);
  }
  return new Map([...byType].flatMap(([type, one]) => (one ? [[type, one] as const] : [])));
}
