import { MediaStream, MediaStreamTrack, RTCPeerConnection, type RtpPacket, useVP8 } from 'werift';
import type { ServerOffers } from '../../model/signalling.js';

export interface Echo {
  readonly offers: ServerOffers;
  close(): Promise<void>;
}

/** How often the sender is asked for a key frame: a receiver that starts late can begin at one. */
const keyFrameEveryMs = 1000;

/**
 * What comes in goes out again once for each of these streams, over the connection on which it came and that this end has
 * offered. A stream that `isStarved` gets nothing.
 */
export async function echo(streams: readonly string[], isStarved: (stream: string) => boolean): Promise<Echo> {
  const connection = new RTCPeerConnection({
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    codecs: { audio: [], video: [useVP8()] },
  });
  const heard = connection.addTransceiver('video', { direction: 'recvonly' });
  const tracks = streams.map((stream) => {
    const track = new MediaStreamTrack({ kind: 'video' });
    connection.addTransceiver(track, { direction: 'sendonly', streams: [new MediaStream({ id: stream })] } as never);
    return { stream, track };
  });
  let asking: NodeJS.Timeout | undefined;
  heard.onTrack.subscribe((incoming) => {
    incoming.onReceiveRtp.subscribe((packet: RtpPacket) => {
      asking ??= setInterval(() => void heard.receiver.sendRtcpPLI(packet.header.ssrc), keyFrameEveryMs);
      for (const { stream, track } of tracks) if (!isStarved(stream)) track.writeRtp(packet.clone());
    });
  });
  // werift would ask a public STUN server by default.
  for (const transport of connection.iceTransports) delete transport.connection.stunServer;
  await connection.setLocalDescription(await connection.createOffer());
  const [, ...mids] = connection.getTransceivers().map(({ mid }) => mid ?? '');
  return {
    offers: {
      by: 'server',
      offer: connection.localDescription?.sdp ?? '',
      places: mids.map((mid, index) => ({ mid, stream: streams[index] ?? '' })),
      answer: (sdp) => connection.setRemoteDescription({ type: 'answer', sdp }),
      addCandidate: async (candidate) => {
        await connection.addIceCandidate({ ...candidate, sdpMid: candidate.sdpMid ?? '0', sdpMLineIndex: 0 });
      },
    },
    async close() {
      clearInterval(asking);
      await connection.close();
    },
  };
}
