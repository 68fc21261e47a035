import type { Leg, MediaKind } from '../../model/scenario.js';
import type { IceCandidate } from '../../model/signalling.js';
import type { RelayAccess } from '../../model/turn.js';
import { cloneTrack, playTrack } from './camera.js';
import { offeredCodecs } from './codecs.js';
import { withCheapSound } from './encoded/cheap-sound.js';
import type { EncodedMedia } from './encoded/encoded-media.js';
import type { StatsReport } from './stats-report.js';
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
    return { ageMs: performance.now() - this.madeMs, ...(this.rtx ? { rtx: this.rtx } : {}) };
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

  private addKind(kind: MediaKind, media: PageMedia): void {
    const { camera, encoded } = this.source;
    const [sends, receives] = [this.leg.sends.includes(kind), this.leg.receives.includes(kind)];
    if (!sends && !receives) return;
    const direction = sends ? (receives ? 'sendrecv' : 'sendonly') : 'recvonly';
    const track = sends ? cloneTrack(camera, kind) : undefined;
    if (track) this.tracks.push(track);
    const transceiver = this.connection.addTransceiver(track ?? kind, {
      direction,
      ...(sends && kind === 'video' ? { sendEncodings: [encoding(media)] } : {}),
    });
    if (sends) encoded?.send(this.leg, kind, transceiver.sender);
    if (receives) encoded?.receive(this.leg, kind, transceiver.receiver);
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
