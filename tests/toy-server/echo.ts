import {
  MediaStream,
  MediaStreamTrack,
  RTCPeerConnection,
  type RTCRtpTransceiver,
  type RtpPacket,
  useVP8,
} from 'werift';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';

/** How often the sender is asked for a key frame: a receiver that starts late can begin at one. */
const keyFrameEveryMs = 1000;

interface Outgoing {
  readonly track: MediaStreamTrack;
  readonly transceiver: RTCRtpTransceiver;
}

/**
 * What comes in goes out again once for each of its streams, over the connection on which it came. Either end may make
 * the first offer; further ones, of a stream more or a stream less, are this end's. A stream that `isStarved` gets
 * nothing.
 */
export class Echo {
  private readonly connection = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    bundlePolicy: 'max-bundle',
    codecs: { audio: [], video: [useVP8()] },
  });
  private readonly outgoing = new Map<string, Outgoing>();
  private asking: NodeJS.Timeout | undefined;

  constructor(private readonly isStarved: (stream: string) => boolean) {
    this.connection.onTrack.subscribe((incoming) => {
      incoming.onReceiveRtp.subscribe((packet: RtpPacket) => this.giveBack(packet));
    });
  }

  /** An offer of these streams; those of before that are not among them have ended. */
  async offer(streams: readonly string[]): Promise<ServerOffer> {
    if (this.connection.getTransceivers().length === 0) {
      this.connection.addTransceiver('video', { direction: 'recvonly' });
    }
    for (const stream of streams) this.add(stream);
    const ended = [...this.outgoing.keys()].filter((stream) => !streams.includes(stream));
    for (const [stream, { transceiver }] of this.outgoing) {
      // werift gives up the section of one that is inactive, and another stream could not use it again.
      transceiver.setDirection(ended.includes(stream) ? 'recvonly' : 'sendonly');
    }
    const offer = await this.describe(() => this.connection.createOffer());
    const places = streams.map((stream) => ({ stream, mid: this.outgoing.get(stream)?.transceiver.mid ?? '' }));
    return { offer, places, ended };
  }

  async takeAnswer(sdp: string): Promise<void> {
    await this.connection.setRemoteDescription({ type: 'answer', sdp });
  }

  /** The answer to a probe's offer: the streams go into its sections in order, the first beside what it sends. */
  async answerTo(sdp: string, streams: readonly string[]): Promise<string> {
    await this.connection.setRemoteDescription({ type: 'offer', sdp });
    for (const stream of streams) {
      const track = new MediaStreamTrack({ kind: 'video' });
      this.connection.addTrack(track);
      const transceiver = this.connection.getTransceivers().find(({ sender }) => sender.track === track);
      if (transceiver) this.outgoing.set(stream, { track, transceiver });
    }
    return this.describe(() => this.connection.createAnswer());
  }

  async addCandidate(candidate: IceCandidate): Promise<void> {
    await this.connection.addIceCandidate({ ...candidate, sdpMid: candidate.sdpMid ?? '0', sdpMLineIndex: 0 });
  }

  async close(): Promise<void> {
    clearInterval(this.asking);
    await this.connection.close();
  }

  private add(stream: string): void {
    if (this.outgoing.has(stream)) return;
    const track = new MediaStreamTrack({ kind: 'video' });
    const streams = [new MediaStream({ id: stream })];
    const transceiver = this.connection.addTransceiver(track, { direction: 'sendonly', streams } as never);
    this.outgoing.set(stream, { track, transceiver });
  }

  /** With all candidates in it: werift gathers while it is applied. It would ask a public STUN server by default. */
  private async describe(make: () => ReturnType<RTCPeerConnection['createOffer']>): Promise<string> {
    for (const transport of this.connection.iceTransports) delete transport.connection.stunServer;
    await this.connection.setLocalDescription(await make());
    return this.connection.localDescription?.sdp ?? '';
  }

  private giveBack(packet: RtpPacket): void {
    const receiver = this.connection.getTransceivers()[0]?.receiver;
    this.asking ??= setInterval(() => void receiver?.sendRtcpPLI(packet.header.ssrc), keyFrameEveryMs);
    for (const [stream, { track, transceiver }] of this.outgoing) {
      if (transceiver.direction !== 'recvonly' && !this.isStarved(stream)) track.writeRtp(packet.clone());
    }
  }
}
