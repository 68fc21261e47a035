import type { VideoRateControl } from '../../model/rate-control.js';
import { type Leg, type MediaKind, type ReceivedStream, receivedStreams, sendsPauses } from '../../model/scenario.js';
import { endOfCandidates, type IceCandidate, type IceServer, type ServerOffer } from '../../model/signalling.js';
import { accessIn, type RelayWay } from '../../model/turn.js';
import { acceptAnswer } from './accept-answer.js';
import { AwayStreams } from './away-streams.js';
import { cloneTrack, isPlaying, playTrack, stopTrack } from './camera.js';
import { nowMs } from './clock.js';
import { offeredCodecs } from './codecs.js';
import { gathered, gatheredAnew, isFurtherOffer, plainCandidate, relayOnly, useIceServers } from './ice.js';
import type { JoiningLeg } from './join-watch.js';
import { LegData } from './leg-data.js';
import { type OfferedSection, sectionsOf } from './offer-sections.js';
import { withPauses } from './pauses.js';
import type { ProbeSource } from './probe-source.js';
import { assertScalable, encodings, keepResolution, keepWithin, resendsApart } from './senders.js';
import { withFramesShown } from './shown-videos.js';
import type { StatsEntry, StatsReport } from './stats-report.js';
import type { StreamOfMid } from './stream-entries.js';
import type { LegFacts } from './stream-samples.js';
import { withVideoCap } from './video-cap.js';
import type { FirstMove, PageMedia } from './wire.js';

/** One RTCPeerConnection of a probe: sends the leg's tracks, plays what comes, and keeps candidates until they fit. */
export class Peer {
  readonly connection: RTCPeerConnection;
  private readonly tracks: MediaStreamTrack[] = [];
  readonly playing = new Map<HTMLMediaElement, RTCRtpTransceiver>();
  private readonly newWidths = new Map<string, number>();
  private early: IceCandidate[] | undefined = [];
  private readonly madeMs = performance.now();
  /** The media sections of the streams that have an id. */
  readonly named = new Map<RTCRtpTransceiver, string>();
  first: FirstMove = { by: 'probe' };
  private held: RTCSessionDescriptionInit | undefined;
  private rtx: readonly MediaKind[] | undefined;
  /** Of the video that it sends, once the server has described it. */
  rateControl: VideoRateControl | undefined;
  /** Absent where nobody sends messages. */
  readonly data: LegData | undefined;
  /** Streams whose source is gone. */
  readonly away = new AwayStreams();

  constructor(
    readonly leg: Leg,
    private readonly media: PageMedia,
    private readonly source: ProbeSource & { readonly sender: string },
    private readonly relay: RelayWay | undefined,
  ) {
    this.connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle', ...relayOnly(relay) });
    this.data = media.data && new LegData(this.connection, leg, media.data, source);
    this.connection.addEventListener('track', ({ track, transceiver }) => {
      // It is told of again when its section is used again: it plays already.
      if ([...this.playing.keys()].some((element) => isPlaying(element, track))) return;
      const element = source.encoded ? source.encoded.play(track) : playTrack(track);
      if (element) this.playing.set(element, transceiver);
      element?.addEventListener('resize', () => this.newWidths.set(transceiver.mid ?? '', nowMs()));
    });
  }

  /** From here on it tells of its own candidates, unless they all go in its description. */
  begin(first: FirstMove, onCandidate: (candidate: IceCandidate) => void): void {
    this.first = first;
    this.useIceServers(first.iceServers);
    if (first.candidates === 'in-one-message') return;
    this.connection.addEventListener('icecandidate', ({ candidate: found }) => {
      if (isFurtherOffer(this.connection)) return;
      if (found?.candidate) onCandidate(plainCandidate(found));
      else if (!found && first.by === 'probe' && first.takesEnd) onCandidate(endOfCandidates);
    });
  }

  async offer(): Promise<string> {
    for (const kind of ['audio', 'video'] as const) this.addKind(kind, this.media);
    this.data?.open();
    await Promise.all(this.connection.getSenders().map(keepResolution));
    if (this.first.candidates !== 'after-the-answer') return this.describe();
    // Applied only with the answer: candidates are looked for as soon as it is.
    this.held = await this.connection.createOffer();
    return this.held.sdp ?? '';
  }

  /** Rejects when the browser cannot apply the answer, or a candidate that came before it. */
  async answer(sdp: string, iceServers?: readonly IceServer[]): Promise<void> {
    const { held } = this;
    this.held = undefined;
    if (held) {
      this.useIceServers(iceServers);
      await this.connection.setLocalDescription(held);
    }
    const soundReplaced =
      this.source.encoded !== undefined && this.leg.sends.includes('audio') && !sendsPauses(this.leg);
    await acceptAnswer(this.connection, this.capped(sdp), soundReplaced);
    await this.agreed();
  }

  /** The answer to an offer of the server, the first one or a further one. Rejects when the browser cannot apply it. */
  async answerTo(offer: ServerOffer): Promise<string> {
    this.away.ended(offer.ended ?? []);
    await this.connection.setRemoteDescription({ type: 'offer', sdp: this.capped(offer.offer) });
    // Of further offers the channel is there already.
    if (!this.answered) this.data?.open();
    const sections = sectionsOf(offer);
    await Promise.all(sections.map((section) => this.fill(section)));
    const answer = await this.describe();
    // A sender of the server's offer has an encoding to limit only once it is described.
    await Promise.all(this.connection.getSenders().map((sender) => keepWithin(sender, this.media)));
    await this.agreed();
    this.away.cameBack(sections.flatMap(({ serverSends, stream }) => (serverSends && stream ? [stream] : [])));
    return answer;
  }

  private async describe(): Promise<string> {
    await this.connection.setLocalDescription();
    if (this.first.candidates === 'in-one-message') await gathered(this.connection);
    return this.connection.localDescription?.sdp ?? '';
  }

  private async agreed(): Promise<void> {
    for (const sender of this.connection.getSenders()) assertScalable(sender, this.media, this.leg);
    this.rtx = this.leg.sends.filter((kind) =>
      this.connection.getSenders().some((sender) => resendsApart(sender, kind)),
    );
    const early = this.early ?? [];
    this.early = undefined;
    for (const candidate of early) await this.connection.addIceCandidate(candidate);
  }

  /** A relay whose address is known stays the one way, whatever the server names. */
  private useIceServers(servers: readonly IceServer[] | undefined): void {
    if (servers && !accessIn(this.relay)) useIceServers(this.connection, servers);
  }

  private capped(said: string): string {
    const sdp = sendsPauses(this.leg) ? withPauses(said) : said;
    if (!this.leg.sends.includes('video')) return sdp;
    const capped = withVideoCap(sdp, this.leg, this.media.videoKbps);
    this.rateControl = capped.control;
    return capped.sdp;
  }

  async offerRestart(): Promise<string> {
    this.connection.restartIce();
    const found = gatheredAnew(this.connection);
    await this.connection.setLocalDescription();
    await found;
    return this.connection.localDescription?.sdp ?? '';
  }

  acceptRestart(answer: string): Promise<void> {
    return this.answer(answer);
  }

  takeBack(): Promise<void> {
    return this.connection.setLocalDescription({ type: 'rollback' });
  }

  get now(): JoiningLeg {
    const { connection, leg, streamOfMid, data } = this;
    const { iceConnectionState: iceState, connectionState } = connection;
    const description = connection.remoteDescription?.sdp ?? '';
    return { leg, iceState, connectionState, description, streamOfMid, away: this.away.now, data };
  }

  get facts(): LegFacts {
    const { rtx, streamOfMid, newWidths } = this;
    return { ageMs: performance.now() - this.madeMs, ...(rtx ? { rtx } : {}), streamOfMid, newWidths };
  }

  /** Sections have no mid before the offer is made. */
  get streamOfMid(): StreamOfMid {
    return new Map([...this.named].flatMap(([{ mid }, stream]) => (mid === null ? [] : [[mid, stream]])));
  }

  get answered(): boolean {
    return this.early === undefined;
  }

  /** The server's candidate. One that comes before the answer waits for it. */
  async addCandidate(candidate: IceCandidate): Promise<void> {
    if (this.early) this.early.push(candidate);
    else await this.connection.addIceCandidate(candidate);
  }

  async stats(): Promise<StatsReport> {
    // lib.dom types the report's values `any`; each is an RTCStats, which has id, type and timestamp.
    return withFramesShown(new Map(await this.connection.getStats()) as Map<string, StatsEntry>, this.playing);
  }

  close(): void {
    this.connection.close();
    this.data?.close();
    this.source.encoded?.forget(this.leg);
    for (const track of this.tracks) stopTrack(track);
    for (const element of this.playing.keys()) {
      element.srcObject = null;
      element.remove();
    }
  }

  /** A sent stream shares its section with the first received one of its kind; further ones have their own. */
  private addKind(kind: MediaKind, media: PageMedia): void {
    const [first, ...further] = receivedStreams(this.leg).filter((stream) => stream.kind === kind);
    const sends = this.leg.sends.includes(kind);
    if (sends || first) this.addSection(kind, sends, first, media);
    for (const stream of further) this.addSection(kind, false, stream, media);
  }

  private addSection(kind: MediaKind, sends: boolean, received: ReceivedStream | undefined, media: PageMedia): void {
    const { camera, encoded } = this.source;
    const track = sends ? cloneTrack(camera, kind, this.leg, media) : undefined;
    if (track) this.tracks.push(track);
    const transceiver = this.connection.addTransceiver(track ?? kind, {
      direction: sends ? (received ? 'sendrecv' : 'sendonly') : 'recvonly',
      ...(sends && kind === 'video' ? { sendEncodings: encodings(media, this.leg) } : {}),
    });
    if (sends) encoded?.send(this.leg, kind, transceiver.sender);
    if (received) this.expect(received, transceiver);
    transceiver.setCodecPreferences(offeredCodecs(kind, media.videoCodec));
  }

  /** Does the leg's part in a section that the server has offered: takes its stream, and sends where it is asked to. */
  private async fill({ mid, kind, serverSends, serverReceives, stream }: OfferedSection): Promise<void> {
    const transceiver = this.connection.getTransceivers().find((one) => one.mid === mid);
    if (!transceiver) return;
    const received = receivedStreams(this.leg).find(
      (one) => one.kind === kind && (one.stream === undefined || one.stream === stream),
    );
    if (serverSends && received) this.expect(received, transceiver);
    else this.named.delete(transceiver);
    if (serverReceives && this.leg.sends.includes(kind) && !this.tracks.some((track) => track.kind === kind)) {
      const track = cloneTrack(this.source.camera, kind, this.leg, this.media);
      this.tracks.push(track);
      transceiver.direction = serverSends ? 'sendrecv' : 'sendonly';
      this.source.encoded?.send(this.leg, kind, transceiver.sender);
      transceiver.setCodecPreferences(offeredCodecs(kind, this.media.videoCodec));
      await transceiver.sender.replaceTrack(track);
    } else transceiver.setCodecPreferences(offeredCodecs(kind, this.media.videoCodec));
  }

  private expect(received: ReceivedStream, transceiver: RTCRtpTransceiver): void {
    const { stream } = received;
    const isNew = transceiver.receiver.transform === null || this.named.get(transceiver) !== stream;
    if (isNew) this.source.encoded?.receive(this.leg, received, transceiver.receiver);
    if (stream !== undefined) this.named.set(transceiver, stream);
  }
}
