import { type Leg, type MediaKind, type ReceivedStream, receivedStreams } from '../../model/scenario.js';
import type { IceCandidate } from '../../model/signalling.js';
import type { RelayAccess } from '../../model/turn.js';
import { cloneTrack, playTrack } from './camera.js';
import { offeredCodecs } from './codecs.js';
import { withCheapSound } from './encoded/cheap-sound.js';
import type { EncodedMedia } from './encoded/encoded-media.js';
import type { StatsReport } from './stats-report.js';
import type { StreamOfMid } from './stream-entries.js';
import type { LegFacts } from './stream-samples.js';
import type { PageMedia } from './wire.js';

/** Where a page's probes get what they send. */
export interface ProbeSource {
  /** Absent on a page where nobody sends. */
  readonly camera?: MediaStream;
  /** Present when the camera's frames are replaced by encoded ones. */
  readonly encoded?: EncodedMedia;
}

/** One RTCPeerConnection of a probe: sends the leg's tracks, plays what comes, and keeps candidates until they fit. */
export class Peer {
  readonly leg: Leg;
  readonly connection: RTCPeerConnection;
  private readonly tracks: MediaStreamTrack[] = [];
  private readonly elements: HTMLMediaElement[] = [];
  private readonly source: ProbeSource;
  private early: IceCandidate[] | undefined = [];
  private readonly madeMs = performance.now();
  /** The media sections of the streams that have an id. */
  private readonly named: { readonly stream: string; readonly transceiver: RTCRtpTransceiver }[] = [];
  private rtx: readonly MediaKind[] | undefined;

  constructor(leg: Leg, media: PageMedia, source: ProbeSource, relay: RelayAccess | undefined) {
    this.leg = leg;
    this.connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle', ...relayOnly(relay) });
    this.source = source;
    this.connection.addEventListener('track', ({ track }) => {
      // Video is decoded and counted without an element, and without its track: tiny stand-ins would be drawn for nobody.
      if (track.kind === 'audio' || !source.encoded) this.elements.push(playTrack(track));
      else track.stop();
    });
    for (const kind of ['audio', 'video'] as const) this.addKind(kind, media);
  }

  /** From here on it tells of its own candidates. */
  async offer(onCandidate: (candidate: IceCandidate) => void): Promise<string> {
    this.connection.addEventListener('icecandidate', ({ candidate: found }) => {
      if (!found?.candidate) return;
      const { candidate, sdpMid, sdpMLineIndex } = found;
      onCandidate({ candidate, sdpMid, sdpMLineIndex });
    });
    await Promise.all(this.connection.getSenders().map(keepResolution));
    await this.connection.setLocalDescription();
    return this.connection.localDescription?.sdp ?? '';
  }

  /** Rejects when the browser cannot apply the answer, or a candidate that came before it. */
  async answer(sdp: string): Promise<void> {
    await this.accept(sdp);
    this.rtx = this.leg.sends.filter((kind) =>
      this.connection.getSenders().some((sender) => resendsApart(sender, kind)),
    );
    const early = this.early ?? [];
    this.early = undefined;
    for (const candidate of early) await this.connection.addIceCandidate(candidate);
  }

  /** A browser that has no L16 encodes Opus: the sound that goes out is the same, it only costs more. */
  private async accept(sdp: string): Promise<void> {
    const isReplaced = this.source.encoded && this.leg.sends.includes('audio');
    const cheap = isReplaced ? withCheapSound(sdp) : sdp;
    try {
      await this.connection.setRemoteDescription({ type: 'answer', sdp: cheap });
    } catch (error) {
      if (cheap === sdp) throw error;
      await this.connection.setRemoteDescription({ type: 'answer', sdp });
    }
  }

  get facts(): LegFacts {
    const { rtx, streamOfMid } = this;
    return { ageMs: performance.now() - this.madeMs, ...(rtx ? { rtx } : {}), streamOfMid };
  }

  /** Sections have no mid before the offer is made. */
  get streamOfMid(): StreamOfMid {
    return new Map(this.named.flatMap(({ stream, transceiver: { mid } }) => (mid === null ? [] : [[mid, stream]])));
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
    return new Map(await this.connection.getStats()) as StatsReport;
  }

  /** Where its received video is shown. */
  get video(): HTMLVideoElement | undefined {
    return this.elements.find((element) => element instanceof HTMLVideoElement);
  }

  close(): void {
    this.connection.close();
    this.source.encoded?.forget(this.leg);
    for (const track of this.tracks) track.stop();
    for (const element of this.elements) {
      element.srcObject = null;
      element.remove();
    }
  }

  /** What is sent of a kind shares its section with the first stream of it that is received; each further one has its own. */
  private addKind(kind: MediaKind, media: PageMedia): void {
    const [first, ...further] = receivedStreams(this.leg).filter((stream) => stream.kind === kind);
    const sends = this.leg.sends.includes(kind);
    if (sends || first) this.addSection(kind, sends, first, media);
    for (const stream of further) this.addSection(kind, false, stream, media);
  }

  private addSection(kind: MediaKind, sends: boolean, received: ReceivedStream | undefined, media: PageMedia): void {
    const { camera, encoded } = this.source;
    const direction = sends ? (received ? 'sendrecv' : 'sendonly') : 'recvonly';
    const track = sends ? cloneTrack(camera, kind) : undefined;
    if (track) this.tracks.push(track);
    const transceiver = this.connection.addTransceiver(track ?? kind, {
      direction,
      ...(sends && kind === 'video' ? { sendEncodings: [encoding(media)] } : {}),
    });
    if (sends) encoded?.send(this.leg, kind, transceiver.sender);
    if (received) encoded?.receive(this.leg, received, transceiver.receiver);
    if (received?.stream !== undefined) this.named.push({ stream: received.stream, transceiver });
    transceiver.setCodecPreferences(offeredCodecs(kind, media.videoCodec));
  }
}

/** With a relay, no other candidate is made, and none is found later (webrtc-pc, RTCIceTransportPolicy). */
function relayOnly(relay: RelayAccess | undefined): RTCConfiguration {
  if (!relay) return {};
  const { url, username, credential } = relay;
  return { iceServers: [{ urls: [url], username, credential }], iceTransportPolicy: 'relay' };
}

const encoding = (media: PageMedia): RTCRtpEncodingParameters => ({
  maxBitrate: media.videoKbps * 1000,
  maxFramerate: media.framesPerSecond,
});

/**
 * A sender short of bandwidth or CPU drops frames and never shrinks the picture: received frame rates stay comparable
 * between sizes of load, and a shortage shows in one number (mst-content-hint, degradationPreference).
 */
async function keepResolution(sender: RTCRtpSender): Promise<void> {
  if (sender.track?.kind !== 'video') return;
  const parameters = sender.getParameters();
  await sender.setParameters({ ...parameters, degradationPreference: 'maintain-resolution' });
}

/** `outbound-rtp.rtxSsrc` does not tell: Chromium gives it as soon as RTX was offered, also where the answer has none. */
const resendsApart = (sender: RTCRtpSender, kind: MediaKind): boolean =>
  sender.getParameters().codecs.some(({ mimeType }) => mimeType.toLowerCase() === `${kind}/rtx`);

export const iceIsUp = ({ iceConnectionState }: RTCPeerConnection): boolean =>
  iceConnectionState === 'connected' || iceConnectionState === 'completed';
