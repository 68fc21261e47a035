import type { VideoRateControl } from '../../model/rate-control.js';
import type { Leg } from '../../model/scenario.js';
import type { IceCandidate, IceServer, ServerOffer } from '../../model/signalling.js';
import type { RelayWay } from '../../model/turn.js';
import { startBeat } from '../../rtp/beat.js';
import { type IceCredentials, newCredentials } from '../../rtp/ice-restart.js';
import { NativeLink } from '../../rtp/native-link.js';
import type { RemoteCandidates } from '../../rtp/remote-candidates.js';
import { readRtcp } from '../../rtp/rtcp.js';
import type { JoiningPeer } from '../page/joining-probe.js';
import type { LegFacts } from '../page/stream-samples.js';
import { withVideoCap } from '../page/video-cap.js';
import type { FirstMove } from '../page/wire.js';
import { type RemoteDescription, readWhole } from './description.js';
import { type Agreed, LegDescriptions } from './leg-descriptions.js';
import type { LegMarks } from './leg-marks.js';
import { LegMedia } from './leg-media.js';
import { LegSending } from './leg-sending.js';
import { legStats, type WritableReport } from './leg-stats.js';
import { OwnCandidates } from './own-candidates.js';
import type { OwnTransport } from './own-description.js';
import type { PeerOptions, PeerState, PeerSurroundings } from './peer-options.js';
import { voiceOf } from './sent-sound.js';

/** From the time of `performance.now()` to that of the clock of a worker. */
const { timeOrigin } = performance;

/** One connection of a native probe: ICE, DTLS, and what comes and goes over it. */
export class NativePeer implements JoiningPeer {
  readonly #surroundings: PeerSurroundings;
  readonly #onState: (state: PeerState, why: string) => void;
  #link: NativeLink | undefined;
  #media: LegMedia | undefined;
  #sending: LegSending | undefined;
  readonly #descriptions: LegDescriptions;
  readonly #relay: RelayWay | undefined;
  readonly marks: LegMarks | undefined;
  own: OwnCandidates | undefined;
  #early: string[] = [];
  #renewed: IceCredentials | undefined;
  #endReports: () => void = () => undefined;
  first: FirstMove = { by: 'probe' };
  state: PeerState = 'new';
  /** Of the server. */
  description = '';
  /** Of the video that it sends, once the server has described it. */
  rateControl: VideoRateControl | undefined;

  constructor(
    readonly leg: Leg,
    surroundings: PeerSurroundings,
    onState: (state: PeerState, why: string) => void,
    { relay, marks }: PeerOptions = {},
  ) {
    this.#descriptions = new LegDescriptions(leg, surroundings.videoCodec);
    this.#surroundings = surroundings;
    this.#relay = relay;
    this.marks = marks;
    this.#onState = onState;
  }

  get answered(): boolean {
    return this.#media !== undefined;
  }

  get ports(): readonly number[] {
    return this.#link?.ports ?? [];
  }

  /** Candidates of the server; absent before it has begun. */
  get remote(): RemoteCandidates | undefined {
    return this.#link?.remote;
  }

  /** Opens sockets, unless the server has yet to name the relay. Rejects with RelayRefused. */
  async begin(first: FirstMove, onCandidate: (candidate: IceCandidate) => void): Promise<void> {
    const { trustedKey, ...surroundings } = this.#surroundings;
    this.first = first;
    const readBytes = (payloadType: number): number => this.#media?.readBytes(payloadType) ?? 0;
    const relay = this.#relay && { relay: trustedKey === undefined ? {} : { trustedKey } };
    this.#link = new NativeLink({ ...surroundings, readBytes, ...relay }, first.by === 'probe', {
      onIceConnected: () => this.#become('ice-connected'),
      onConnected: () => this.#connected(),
      onFailed: (why) => this.#become('failed', why),
      onDisconnected: () => this.#become('disconnected'),
      onRtp: (datagram, end, atMs) => this.#media?.onRtp(datagram, end, timeOrigin + atMs),
      onRtcp: (compound, atMs) => this.#onRtcp(compound, timeOrigin + atMs),
    });
    this.own = new OwnCandidates(this.#link, this.#relay, first, onCandidate);
    await this.own.find(first.iceServers);
  }

  offer(): string {
    return this.#descriptions.offer(this.#transport);
  }

  async offerRestart(): Promise<string> {
    this.#renewed = newCredentials();
    return this.#descriptions.offer({ ...this.#open().described, ...this.#renewed, candidates: this.own?.all ?? [] });
  }

  async acceptRestart(sdp: string): Promise<void> {
    const { transport, candidates } = readWhole(sdp);
    if (this.#renewed) void this.#open().restart(this.#renewed, transport, candidates);
  }

  /** Nothing had changed. */
  async takeBack(): Promise<void> {}

  /** Rejects when the answer cannot be used, with RelayRefused where that is why. */
  async answer(sdp: string, iceServers?: readonly IceServer[]): Promise<void> {
    await this.own?.find(iceServers);
    this.#agree(this.#descriptions.answered(sdp));
  }

  /** The answer to the server's offer, the first one or one of more or fewer streams. Throws if it cannot be used. */
  answerTo(offer: ServerOffer): string {
    const { answer, ...agreed } = this.#descriptions.answerTo(offer, this.#transport);
    // A further one changes nothing of what is sent.
    if (this.#media) this.#media.agree(agreed.received);
    else this.#agree(agreed);
    return answer;
  }

  get #transport(): OwnTransport {
    return { ...this.#open().described, candidates: this.own?.described ?? [] };
  }

  #open(): NativeLink {
    if (!this.#link) throw new Error('the connection has not begun');
    return this.#link;
  }

  #agree({ text, described, received }: Agreed): void {
    const link = this.#open();
    this.description = text;
    if (this.leg.sends.length > 0) this.#sending = this.#newSending(link, text, described);
    const { ssrcs, cname } = this.#descriptions.streams;
    const { clock, taker } = this.#surroundings;
    this.#media = new LegMedia({
      clock,
      lagMs: taker && !this.#relay ? undefined : () => clock.lagMs?.() ?? 0,
      cname,
      ssrc: this.leg.sends.includes('video') ? ssrcs.video : ssrcs.audio,
      sections: received,
      reducedSize: described.reducedSize,
      // A browser that only receives is not told of one.
      roundTripMs: () => (this.#sending ? link.rttMs : undefined),
      sendRtcp: (compound) => link.sendRtcp(compound),
      onMissing: this.#surroundings.attend,
      marks: this.marks,
    });
    this.#become('connecting');
    for (const line of [...described.candidates, ...this.#early]) link.remote.add(line);
    this.#early = [];
    void link.connect(described.transport, described.role ?? 'client');
  }

  /** Throws where the server does not take what is to be sent. */
  #newSending(link: NativeLink, sdp: string, { media }: RemoteDescription): LegSending {
    const { clock, videoCodec, sending } = this.#surroundings;
    if (!sending) throw new Error('there is no clip to send');
    const { control } = withVideoCap(sdp, this.leg, sending.videoKbps);
    this.rateControl = control;
    const cappedKbps = control?.serverKbps ?? control?.writtenKbps;
    const one = new LegSending({
      clock,
      clips: sending.clips,
      voice: voiceOf(sending, this.leg),
      videoCodec,
      own: this.#descriptions.streams,
      sends: this.leg.sends,
      agreed: media,
      ceilingBps: cappedKbps === undefined ? Number.POSITIVE_INFINITY : cappedKbps * 1000,
      feedback: control?.feedback ?? [],
      transmit: (packet) => link.sendRtp(packet),
      onMissing: this.#surroundings.attend,
      marks: this.marks,
    });
    if (one.refused !== undefined) throw new Error(`the server takes ${one.refused}`);
    return one;
  }

  #onRtcp(compound: Buffer, atMs: number): void {
    for (const message of readRtcp(compound)) {
      this.#media?.onMessage(message, atMs);
      this.#sending?.onMessage(message, atMs);
    }
  }

  /** The server's candidate. One that comes before its description waits for it. */
  addCandidate({ candidate }: IceCandidate): void {
    if (this.#media) this.#link?.remote.add(candidate);
    else this.#early.push(candidate);
  }

  #connected(): void {
    this.#media?.start();
    this.#sending?.start();
    // The first beat is at once, before there is anything to tell.
    this.#endReports = startBeat(this.#surroundings.clock, 1000, (first) => {
      if (first > 0) this.#media?.tick(this.#sending?.tick() ?? []);
    });
    this.#become('connected');
  }

  #become(state: PeerState, why = ''): void {
    if (this.state === 'closed') return;
    this.state = state;
    this.#onState(state, why);
  }

  /** What it measured, in the names of webrtc-stats. @param over an earlier report that nobody needs any more */
  stats(over?: WritableReport): WritableReport {
    const [own] = this.own?.all ?? [];
    const reading = {
      atMs: this.#surroundings.clock.nowMs(),
      streams: this.#media?.streams ?? [],
      resentApart: this.#media?.resentApart ?? false,
      sending: this.#sending,
      rttMs: this.#link?.rttMs,
      own: this.state === 'connected' ? own : undefined,
    };
    return legStats(reading, over);
  }

  get now(): JoiningPeer['now'] {
    const { leg, state, description } = this;
    const { streamOfMid, away } = this.#descriptions;
    return { leg, iceState: state, connectionState: state, description, streamOfMid, away: away.now };
  }

  /** What a report does not say of it; to be read once with each. */
  readFacts(): Omit<LegFacts, 'ageMs'> {
    const { streamOfMid, away } = this.#descriptions;
    const rtx = this.#sending?.resentApart;
    const widths = this.#media?.streams.flatMap(({ mid, pictures: { newWidthAtMs: ms } }) =>
      ms === undefined ? [] : [[mid, ms] as const],
    );
    return { streamOfMid, away: away.read(), newWidths: new Map(widths), ...(rtx ? { rtx } : {}) };
  }

  close(): void {
    this.state = 'closed';
    this.#endReports();
    this.#sending?.close();
    this.#media?.close();
    void this.#link?.close();
  }
}
