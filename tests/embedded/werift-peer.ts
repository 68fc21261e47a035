import { MediaStreamTrack, RTCPeerConnection, type RTCRtpTransceiver, RtpHeader, RtpPacket, useVP8 } from 'werift';
import { offerTo } from './offer-to.js';
import type { TestClient } from './test-client.js';

/** A browser's part in tests without a browser: one video transceiver against one endpoint of the server. */
export class WeriftPeer {
  readonly #connection: RTCPeerConnection;
  readonly #track = new MediaStreamTrack({ kind: 'video' });
  readonly transceiver: RTCRtpTransceiver;
  readonly received: RtpPacket[] = [];
  keyFrameRequests = 0;
  #sequenceNumber = 1000;

  private constructor(direction: 'sendonly' | 'recvonly') {
    this.#connection = new RTCPeerConnection({
      iceServers: [],
      iceUseIpv4: false,
      iceUseIpv6: false,
      iceAdditionalHostAddresses: ['127.0.0.1'],
      iceInterfaceAddresses: { udp4: '127.0.0.1' },
      codecs: { audio: [], video: [useVP8()] },
    });
    this.transceiver = this.#connection.addTransceiver(direction === 'sendonly' ? this.#track : 'video', { direction });
    this.transceiver.sender.onPictureLossIndication.subscribe(() => {
      this.keyFrameRequests += 1;
    });
    this.#connection.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => this.received.push(packet)));
  }

  /** Negotiates with `endpoint`; resolves when media can flow. */
  static async join(client: TestClient, endpoint: string, direction: 'sendonly' | 'recvonly'): Promise<WeriftPeer> {
    const peer = new WeriftPeer(direction);
    const connection = peer.#connection;
    const connected = connection.connectionStateChange.watch((state) => state === 'connected', 8000);
    // werift would ask a public STUN server by default.
    for (const transport of connection.iceTransports) delete transport.connection.stunServer;
    await connection.setLocalDescription(await connection.createOffer());
    const { answer, candidates } = await offerTo(client, endpoint, connection.localDescription?.sdp ?? '');
    await connection.setRemoteDescription({ type: 'answer', sdp: answer });
    for (const candidate of candidates) await connection.addIceCandidate(candidate);
    await connected;
    return peer;
  }

  /** Sends one packet of `bytes` of payload; every packet is a frame of its own, 33 ms after the one before. */
  send(bytes: number, skip = 0): void {
    this.#sequenceNumber += 1 + skip;
    const header = new RtpHeader({
      sequenceNumber: this.#sequenceNumber & 0xffff,
      timestamp: (this.#sequenceNumber * 3000) >>> 0,
      payloadType: 96,
      marker: true,
    });
    this.#track.writeRtp(new RtpPacket(header, Buffer.alloc(bytes, 0x10)));
  }

  /** Sends encrypted RTP of any content: what a hostile participant may do. */
  async sendRtpBytes(header: RtpHeader, payload: Buffer): Promise<void> {
    const [dtls] = this.#connection.dtlsTransports;
    if (dtls) await this.sendDatagram(dtls.srtp.encrypt(payload, header));
  }

  /** The same for RTCP. */
  async sendRtcpBytes(compound: Buffer): Promise<void> {
    const [dtls] = this.#connection.dtlsTransports;
    if (dtls) await this.sendDatagram(dtls.srtcp.encrypt(compound));
  }

  /** Sends anything over the path that ICE has found. */
  async sendDatagram(datagram: Buffer): Promise<void> {
    await this.#connection.iceTransports[0]?.connection.send(datagram);
  }

  /** Asks the sender of what arrives here for a key frame. */
  async requestKeyFrame(): Promise<void> {
    const ssrc = this.received[0]?.header.ssrc;
    if (ssrc !== undefined) await this.transceiver.receiver.sendRtcpPLI(ssrc);
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
