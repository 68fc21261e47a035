import type { Clock, Egress } from '../../embedded-server/media/egress.js';
import type { VideoCodec } from '../../model/codec.js';
import type { Leg } from '../../model/scenario.js';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';
import type { StatsReport } from '../page/stats-report.js';
import type { FirstMove } from '../page/wire.js';
import {
  candidateLine,
  type OwnTransport,
  type RemoteDescription,
  readDescription,
  writeAnswer,
  writeOffer,
} from './description.js';
import { LegMedia } from './leg-media.js';
import { legStats } from './leg-stats.js';
import { type LinkAddress, NativeLink } from './native-link.js';

export type PeerState = 'new' | 'connecting' | 'ice-connected' | 'connected' | 'failed' | 'disconnected' | 'closed';

export interface PeerSurroundings {
  readonly addresses: readonly string[];
  readonly egress: Egress;
  readonly clock: Clock;
  readonly videoCodec: VideoCodec;
}

/** One connection of a native probe. It receives, and sends nothing but RTCP. */
export class NativePeer {
  readonly leg: Leg;
  readonly #surroundings: PeerSurroundings;
  readonly #onState: (state: PeerState, why: string) => void;
  #link: NativeLink | undefined;
  #media: LegMedia | undefined;
  #own: readonly LinkAddress[] = [];
  #early: string[] = [];
  #inOneMessage = false;
  #reports: ReturnType<typeof setInterval> | undefined;
  state: PeerState = 'new';

  constructor(leg: Leg, surroundings: PeerSurroundings, onState: (state: PeerState, why: string) => void) {
    this.leg = leg;
    this.#surroundings = surroundings;
    this.#onState = onState;
  }

  get answered(): boolean {
    return this.#media !== undefined;
  }

  get ports(): readonly number[] {
    return this.#own.map(({ port }) => port);
  }

  /** Opens sockets. Candidates are told, unless all go in the description. */
  async begin(first: FirstMove, onCandidate: (candidate: IceCandidate) => void): Promise<void> {
    const { addresses, egress } = this.#surroundings;
    this.#inOneMessage = first.candidates === 'in-one-message';
    this.#link = new NativeLink({ addresses, egress }, first.by === 'probe', {
      onIceConnected: () => this.#become('ice-connected'),
      onConnected: () => this.#connected(),
      onFailed: (why) => this.#become('failed', why),
      onDisconnected: () => this.#become('disconnected'),
      onRtp: (packet) => this.#media?.onRtp(packet),
      onRtcp: (compound) => this.#media?.onRtcp(compound),
    });
    this.#own = await this.#link.gather();
    if (this.#inOneMessage) return;
    this.#own.forEach((one, nth) => {
      onCandidate({ candidate: candidateLine(one, nth), sdpMid: '0', sdpMLineIndex: 0 });
    });
  }

  offer(): string {
    return writeOffer(this.leg.receives, this.#surroundings.videoCodec, this.#transport());
  }

  /** Throws when the answer cannot be used. */
  answer(sdp: string): void {
    this.#agree(readWhole(sdp), 'client');
  }

  /** The answer to the server's offer. Throws when that cannot be used, and for a second one. */
  answerTo({ offer }: ServerOffer): string {
    if (this.#media) throw new Error('a native probe takes one offer of the server, and this is a further one');
    const described = readWhole(offer);
    const answer = writeAnswer(described, this.leg.receives, this.#surroundings.videoCodec, this.#transport());
    this.#agree(described, 'client');
    return answer;
  }

  #transport(): OwnTransport {
    const link = this.#open();
    const { iceUfrag, icePwd, fingerprint } = link;
    return { iceUfrag, icePwd, fingerprint, candidates: this.#inOneMessage ? this.#own : [] };
  }

  #open(): NativeLink {
    if (!this.#link) throw new Error('the connection has not begun');
    return this.#link;
  }

  #agree(described: RemoteDescription, usualRole: 'client'): void {
    const link = this.#open();
    this.#media = new LegMedia({
      clock: this.#surroundings.clock,
      cname: this.leg.id,
      agreed: described.media,
      reducedSize: described.reducedSize,
      roundTripMs: () => link.rttMs,
      sendRtcp: (compound) => link.sendRtcp(compound),
    });
    this.#become('connecting');
    for (const line of [...described.candidates, ...this.#early]) link.addCandidate(line);
    this.#early = [];
    void link.connect(described.transport, described.role ?? usualRole);
  }

  /** The server's candidate. One that comes before its description waits for it. */
  addCandidate({ candidate }: IceCandidate): void {
    if (this.#media) this.#link?.addCandidate(candidate);
    else this.#early.push(candidate);
  }

  #connected(): void {
    this.#reports = setInterval(() => this.#media?.tick(), 1000);
    this.#become('connected');
  }

  #become(state: PeerState, why = ''): void {
    if (this.state === 'closed') return;
    this.state = state;
    this.#onState(state, why);
  }

  /** What it measured, in the names of webrtc-stats. */
  stats(): StatsReport {
    const [own] = this.#own;
    return legStats({
      atMs: this.#surroundings.clock.nowMs(),
      streams: [...(this.#media?.streams ?? [])],
      resentApart: this.#media?.resentApart ?? false,
      rttMs: this.#link?.rttMs,
      own: this.state === 'connected' ? own : undefined,
    });
  }

  close(): void {
    this.state = 'closed';
    clearInterval(this.#reports);
    this.#media?.close();
    void this.#link?.close();
  }
}

function readWhole(sdp: string): RemoteDescription {
  const read = readDescription(sdp);
  if (!read) throw new Error('the description has no media, no ICE credentials or no fingerprint');
  return read;
}
