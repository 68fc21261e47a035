import { type Ask, type LayerFault, layerNames } from '../../model/layer.js';
import type { Clock } from '../../rtp/egress.js';
import { beginsKeyFrame } from '../../rtp/key-frames.js';
import { ReceivedRate } from '../../rtp/received-rate.js';
import { elementAt, type RtpPacket } from '../../rtp/rtp.js';
import type { Imitation } from '../imitation.js';
import { FittingLayer } from './fitting-layer.js';
import type { IncomingTrack } from './incoming-track.js';
import type { MediaInput, MediaOutput } from './ports.js';
import type { CappedVideo } from './video-cap.js';

/** A layer of which nothing came for so long is not sent. */
const silentMs = 1500;

interface LayeredVideoOptions {
  /** Preferred first, as they were negotiated, and the header extension that names them. */
  readonly rids: readonly string[];
  readonly ridId: number;
  readonly newTrack: () => IncomingTrack;
  /** Whether a receiver whose link is estimated to be too slow for a layer is given a lower one. */
  readonly followEstimates: boolean;
  readonly imitation: Pick<Imitation, 'layerFault'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

interface Receiver {
  readonly way: LayerSwitch;
  readonly fitting: FittingLayer;
}

/** The layers in which one browser sends its video: each who receives it gets the one that it asks for. */
export class LayeredVideo implements MediaOutput, Pick<CappedVideo, 'bytes'> {
  readonly kind = 'video';
  /** The lowest first. */
  readonly tracks: readonly IncomingTrack[];
  readonly #options: LayeredVideoOptions;
  readonly #ofRid: ReadonlyMap<string, IncomingTrack>;
  readonly #ofSsrc = new Map<number, IncomingTrack>();
  readonly #receivers = new Map<MediaInput, Receiver>();
  readonly #rates: readonly ReceivedRate<IncomingTrack>[];
  #bps: readonly number[] = [];

  constructor(options: LayeredVideoOptions) {
    this.#options = options;
    const rids = options.rids.toReversed();
    this.tracks = rids.map(() => options.newTrack());
    this.#rates = rids.map(() => new ReceivedRate());
    this.#ofRid = new Map(this.tracks.map((track, nth) => [rids[nth] ?? '', track]));
  }

  /** Whose a packet is: senders name the layer until they know that its SSRC is known (RFC 8852, 3). */
  trackOf(packet: Buffer): IncomingTrack | undefined {
    const ssrc = packet.readUInt32BE(8);
    const known = this.#ofSsrc.get(ssrc);
    if (known !== undefined) return known;
    const at = elementAt(packet, packet.length, this.#options.ridId);
    const length = ((packet[at ?? 0] ?? 0) & 0x0f) + 1;
    const track = at === undefined ? undefined : this.#ofRid.get(packet.toString('latin1', at + 1, at + 1 + length));
    if (track !== undefined) this.#ofSsrc.set(ssrc, track);
    return track;
  }

  attach(input: MediaInput): void {
    if (this.#receivers.has(input)) return;
    this.#receivers.set(input, {
      way: new LayerSwitch(input, this.#options.imitation.layerFault, this.tracks.at(-1)),
      fitting: new FittingLayer(this.tracks.length - 1),
    });
    const choose = () => this.#choose(this.#options.clock.nowMs());
    if (input.shown) input.shown.onAsk = choose;
    choose();
  }

  detach(input: MediaInput): void {
    this.#receivers.get(input)?.way.close();
    if (input.shown) input.shown.onAsk = undefined;
    this.#receivers.delete(input);
  }

  requestKeyFrame(): void {
    for (const track of this.tracks) track.requestKeyFrame();
  }

  timestampAt(nowMs: number): number | undefined {
    return this.tracks[0]?.timestampAt(nowMs);
  }

  /** What receivers estimate lowers their layer, and not what is sent. */
  get inputs(): CappedVideo['inputs'] {
    return [...this.#receivers.values()].map(({ way }) => ({ maxKbps: way.maxKbps }));
  }

  get bytes(): number {
    return this.tracks.reduce((all, { bytes }) => all + bytes, 0);
  }

  eachSecond(nowMs: number): void {
    const rates = this.tracks.flatMap((track, nth) => this.#rates[nth]?.since(nowMs, [[track, track.bytes]]) ?? []);
    const [first] = rates;
    if (first) this.#bps = rates.map(({ bps }) => bps);
    if (first && this.#options.followEstimates)
      for (const receiver of this.#receivers.values()) this.#follow(receiver, first.seconds);
    this.#choose(nowMs);
  }

  #follow({ way, fitting }: Receiver, seconds: number): void {
    const { ask, estimateBps, current } = way;
    if (ask === 'none' || !current) return;
    const asked = Math.min(layerNames.indexOf(ask), this.tracks.length - 1);
    const layer = this.tracks.indexOf(current);
    fitting.note({ seconds, estimateBps, layer, asked, layerBps: this.#bps[layer] ?? 0 });
  }

  /** Has each who receives turn to the layer that is right now. */
  #choose(nowMs: number): void {
    for (const { way, fitting } of this.#receivers.values()) {
      if (way.ask === 'none') way.turnTo(undefined);
      else {
        const track = this.#present(this.#wanted(layerNames.indexOf(way.ask), fitting.most), nowMs);
        if (track) way.turnTo(track);
      }
    }
  }

  #wanted(asked: number, most: number): number {
    const highest = this.tracks.length - 1;
    const right = Math.min(asked, most, highest);
    const { layerFault: fault } = this.#options.imitation;
    if (fault === 'stuck') return 0;
    return fault === 'wrong' ? (right === highest ? 0 : highest) : right;
  }

  /** The one that is wanted or, where that is not sent, the next below it, or above it. */
  #present(wanted: number, nowMs: number): IncomingTrack | undefined {
    const isSent = ({ lastPacketAtMs = Number.NEGATIVE_INFINITY }: IncomingTrack) => nowMs - lastPacketAtMs < silentMs;
    return this.tracks.slice(0, wanted + 1).findLast(isSent) ?? this.tracks.slice(wanted + 1).find(isSent);
  }

  close(): void {
    for (const { way } of this.#receivers.values()) way.close();
    for (const track of this.tracks) track.close();
  }
}

/** One in so many packets of a starved layer is kept back. */
const starvedOneIn = 40;

/** Between the layers of a video and one who receives it: hands on one layer, and turns to another at its key frame. */
export class LayerSwitch implements MediaInput {
  readonly kind = 'video';
  readonly #input: MediaInput;
  #current: IncomingTrack | undefined;
  #next: IncomingTrack | undefined;
  /** On purpose. */
  readonly #fault: LayerFault | undefined;
  readonly #highest: IncomingTrack | undefined;
  #packets = 0;

  constructor(input: MediaInput, fault: LayerFault | undefined, highest: IncomingTrack | undefined) {
    this.#input = input;
    this.#fault = fault;
    this.#highest = highest;
  }

  get maxKbps(): number {
    return this.#input.maxKbps;
  }

  get estimateBps(): number {
    return this.#input.estimateBps ?? 0;
  }

  /** That is handed on. */
  get current(): IncomingTrack | undefined {
    return this.#current;
  }

  get ask(): Ask {
    return this.#input.shown?.ask ?? 'high';
  }

  /** The one before goes on until the first key frame of this one, which is asked for; with none it stops at once. */
  turnTo(track: IncomingTrack | undefined): void {
    if (track === undefined) this.#pause();
    if (track === undefined || track === (this.#next ?? this.#current)) return;
    if (this.#fault === 'unmoved' && this.#current) return;
    this.#next?.detach(this);
    this.#next = track === this.#current ? undefined : track;
    if (this.#fault === 'keyless' && this.#current) this.#next?.attachUnasked(this);
    else this.#next?.attach(this);
  }

  #pause(): void {
    this.close();
    this.#current = undefined;
    this.#next = undefined;
  }

  receive(packet: RtpPacket, codec: string, from: MediaOutput, nowMs: number): void {
    const isKeyless = this.#fault === 'keyless' && this.#current !== undefined;
    if (from === this.#next && (isKeyless || beginsKeyFrame(codec, packet.payload) !== false)) {
      this.#current?.detach(this);
      this.#current = this.#next;
      this.#next = undefined;
    }
    if (from !== this.#current) return;
    this.#packets += 1;
    if (this.#fault === 'starved' && from === this.#highest && this.#packets % starvedOneIn === 0) return;
    this.#input.receive(packet, codec, from, nowMs);
  }

  close(): void {
    this.#current?.detach(this);
    this.#next?.detach(this);
  }
}
