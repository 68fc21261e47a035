import { MediaStreamTrack, RTCPeerConnection, RtpPacket, useH264, useOPUS, useVP8 } from 'werift';
import type { IceCandidate } from '../../model/signalling.js';

/** One connection of a media server, as its signalling sees it. */
export interface MediaEnd {
  /** The server's description, an offer or an answer, without candidates. */
  readonly sdp: string;
  readonly candidates: readonly IceCandidate[];
  /** Takes the client's answer. */
  answered(sdp: string): Promise<void>;
  addCandidate(candidate: IceCandidate): Promise<void>;
  close(): Promise<void>;
}

/** What stands behind a door: streams by name. */
export interface StreamMedia {
  readonly streams: ReadonlySet<string>;
  /** Offers to take or to give a stream; undefined: there is none to give. */
  offer(way: 'publish' | 'view', stream: string): Promise<MediaEnd | undefined>;
  /** Answers who publishes. */
  answer(stream: string, offer: string): Promise<MediaEnd>;
}

const sections = (way: 'publish' | 'view') =>
  ['audio 9 UDP/TLS/RTP/SAVPF 102', 'video 9 UDP/TLS/RTP/SAVPF 101']
    .map((line, nth) => `m=${line}\r\na=mid:${nth}\r\na=${way === 'publish' ? 'recvonly' : 'sendonly'}\r\n`)
    .join('');
const aDescription = (way: 'publish' | 'view') => `v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n${sections(way)}`;

/** Descriptions without anything behind them. */
export function noMedia(): StreamMedia {
  const streams = new Set<string>();
  const end = (way: 'publish' | 'view', stream: string): MediaEnd => {
    if (way === 'publish') streams.add(stream);
    return {
      sdp: aDescription(way),
      candidates: [{ candidate: 'candidate:0 1 UDP 50 127.0.0.1 10006 typ host', sdpMid: null, sdpMLineIndex: 0 }],
      answered: async () => undefined,
      addCandidate: async () => undefined,
      close: async () => void (way === 'publish' && streams.delete(stream)),
    };
  };
  return {
    streams,
    offer: async (way, stream) => (way === 'publish' || streams.has(stream) ? end(way, stream) : undefined),
    answer: async (stream) => end('publish', stream),
  };
}

interface Published {
  readonly viewers: Set<Viewer>;
  askForKeyFrame(): void;
}
type Viewer = Readonly<Record<'audio' | 'video', MediaStreamTrack>>;

const feedback = [
  { type: 'nack' },
  { type: 'nack', parameter: 'pli' },
  { type: 'ccm', parameter: 'fir' },
  { type: 'goog-remb' },
];

function connection(): RTCPeerConnection {
  return new RTCPeerConnection({
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    codecs: { audio: [useOPUS()], video: [useVP8({ rtcpFeedback: feedback }), useH264({ rtcpFeedback: feedback })] },
  });
}

/** Real media: what is published goes on to each who views it. */
export function realMedia(): StreamMedia {
  const published = new Map<string, Published>();
  const publisher = (stream: string): RTCPeerConnection => {
    const peer = connection();
    const viewers = new Set<Viewer>();
    let askForKeyFrame = (): void => undefined;
    peer.onTrack.subscribe((track) => {
      const { kind } = track;
      if (kind !== 'audio' && kind !== 'video') return;
      track.onReceiveRtp.subscribe((packet) => {
        // Each sender writes its own header into what it is given.
        for (const viewer of viewers) viewer[kind].writeRtp(RtpPacket.deSerialize(packet.serialize()));
        if (kind === 'video') {
          const receiver = peer.getTransceivers().find((one) => one.kind === 'video')?.receiver;
          askForKeyFrame = () => void receiver?.sendRtcpPLI(packet.header.ssrc);
        }
      });
    });
    published.set(stream, { viewers, askForKeyFrame: () => askForKeyFrame() });
    return peer;
  };
  const end = async (peer: RTCPeerConnection, leave: () => void): Promise<MediaEnd> => {
    const { sdp, candidates } = parted(peer.localDescription?.sdp ?? '');
    return {
      sdp,
      candidates,
      answered: async (answer) => peer.setRemoteDescription({ type: 'answer', sdp: answer }),
      addCandidate: async ({ candidate, sdpMid, sdpMLineIndex }) => {
        const init = { candidate, sdpMid: sdpMid ?? undefined, sdpMLineIndex: sdpMLineIndex ?? undefined };
        await peer.addIceCandidate(init as Parameters<RTCPeerConnection['addIceCandidate']>[0]);
      },
      close: async () => {
        leave();
        await peer.close();
      },
    };
  };
  const offering = async (peer: RTCPeerConnection, leave: () => void): Promise<MediaEnd> => {
    for (const transport of peer.iceTransports) delete transport.connection.stunServer;
    await peer.setLocalDescription(await peer.createOffer());
    return end(peer, leave);
  };
  return {
    get streams() {
      return new Set(published.keys());
    },
    offer: async (way, stream) => {
      if (way === 'publish') {
        const peer = publisher(stream);
        for (const kind of ['video', 'audio'] as const) peer.addTransceiver(kind, { direction: 'recvonly' });
        return offering(peer, () => published.delete(stream));
      }
      const source = published.get(stream);
      if (!source) return undefined;
      const peer = connection();
      const viewer = { audio: new MediaStreamTrack({ kind: 'audio' }), video: new MediaStreamTrack({ kind: 'video' }) };
      for (const kind of ['video', 'audio'] as const) {
        const { sender } = peer.addTransceiver(viewer[kind], { direction: 'sendonly' });
        sender.onPictureLossIndication.subscribe(() => source.askForKeyFrame());
      }
      peer.connectionStateChange.subscribe((state) => {
        if (state !== 'connected') return;
        source.viewers.add(viewer);
        source.askForKeyFrame();
      });
      return offering(peer, () => source.viewers.delete(viewer));
    },
    answer: async (stream, offer) => {
      const peer = publisher(stream);
      await peer.setRemoteDescription({ type: 'offer', sdp: offer });
      for (const transport of peer.iceTransports) delete transport.connection.stunServer;
      await peer.setLocalDescription(await peer.createAnswer());
      return end(peer, () => published.delete(stream));
    },
  };
}

/** Candidates go apart from the description, as both servers have it. */
function parted(sdp: string): Pick<MediaEnd, 'sdp' | 'candidates'> {
  const lines = sdp.split(/\r?\n/);
  const isCandidate = (line: string) => /^a=(candidate:|end-of-candidates)/.test(line);
  const found = [...new Set(lines.filter((line) => line.startsWith('a=candidate:')).map((line) => line.slice(2)))];
  return {
    sdp: lines.filter((line) => !isCandidate(line)).join('\r\n'),
    candidates: found.map((candidate) => ({ candidate, sdpMid: null, sdpMLineIndex: 0 })),
  };
}
