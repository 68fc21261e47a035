import { type Browser, chromium, type Page } from 'playwright-core';
import type { IceCandidate, Negotiate } from '../model/signalling.js';
import { markUnit } from '../probes/page/sei-mark.js';

export interface LoopbackServer {
  readonly negotiate: Negotiate;
  /** Sends a PLI for the video of a leg. */
  askForKeyFrame(leg: string): Promise<void>;
  /** What the far end's decoder made of the video of a leg. */
  videoOf(leg: string): Promise<FarVideo>;
  /** What it plays of the sound of a leg. */
  soundOf(leg: string): Promise<FarSound>;
  /** Sends silence to all legs from now on. */
  fallSilent(): Promise<void>;
  /** Closes the far end of a leg, as a server does that drops a participant. */
  hangUp(leg: string): Promise<void>;
  close(): Promise<void>;
}

interface LoopbackOptions {
  readonly chromiumPath: string;
  /** Legs to which the far end sends no video. */
  readonly withoutVideo?: readonly string[];
}

/** webrtc-stats inbound-rtp, by its own names. */
interface FarVideo {
  readonly framesDecoded: number;
  readonly keyFramesDecoded: number;
  readonly frameWidth: number;
  readonly frameHeight: number;
  readonly bytesReceived: number;
  readonly pliCount: number;
  /** Not of webrtc-stats: frames of H264 with a unit for a mark that came to the decoder. */
  readonly framesMarked: number;
}

/** webrtc-stats inbound-rtp, by its own names. */
interface FarSound {
  readonly audioLevel: number;
  readonly totalSamplesReceived: number;
  readonly concealedSamples: number;
}

interface FarEnd {
  askForKeyFrame(leg: string): void;
  videoOf(leg: string): Promise<FarVideo>;
  soundOf(leg: string): Promise<FarSound>;
  answer(leg: string, offer: string, sendsVideo: boolean): Promise<string>;
  candidate(leg: string, candidate: IceCandidate): Promise<void>;
  fallSilent(): Promise<void>;
  hangUp(leg: string): void;
}

declare const farEnd: FarEnd;

/** The far ends of calls, played by RTCPeerConnections of another Chromium: real media without a media server. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const browser = await chromium.launch({
    executablePath: options.chromiumPath,
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--disable-features=WebRtcHideLocalIpsWithMdns',
    ],
  });
  const listeners = new Map<string, (candidate: IceCandidate) => void>();
  const page = await openFarEnd(browser, (leg, candidate) => listeners.get(leg)?.(candidate));
  return {
    negotiate: async ({ leg, offer, onCandidate }) => {
      listeners.set(leg.id, onCandidate);
      const sendsVideo = !options.withoutVideo?.includes(leg.id);
      const answer = await page.evaluate(([id, sdp, video]) => farEnd.answer(id, sdp, video), [
        leg.id,
        offer,
        sendsVideo,
      ] as const);
      return {
        answer,
        addCandidate: (candidate) =>
          page.evaluate(([id, what]) => farEnd.candidate(id, what), [leg.id, candidate] as const),
      };
    },
    askForKeyFrame: (leg) => page.evaluate((id) => farEnd.askForKeyFrame(id), leg),
    videoOf: (leg) => page.evaluate((id) => farEnd.videoOf(id), leg),
    soundOf: (leg) => page.evaluate((id) => farEnd.soundOf(id), leg),
    fallSilent: () => page.evaluate(() => farEnd.fallSilent()),
    hangUp: (leg) => page.evaluate((id) => farEnd.hangUp(id), leg),
    close: () => browser.close(),
  };
}

async function openFarEnd(
  browser: Browser,
  onCandidate: (leg: string, candidate: IceCandidate) => void,
): Promise<Page> {
  const page = await browser.newPage();
  await page.exposeBinding('tellCandidate', (_source, leg: string, candidate: IceCandidate) =>
    onCandidate(leg, candidate),
  );
  await page.route('**/*', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<script>${farEndScript}</script>` }),
  );
  await page.goto('http://localhost/');
  return page;
}

/** Plain JavaScript of the far end's page. */
const farEndScript = `
  const connections = new Map();
  const camera = navigator.mediaDevices.getUserMedia({ video: { width: 320, height: 180, frameRate: 15 }, audio: true });
  const asking = new Worker(URL.createObjectURL(new Blob([\`
    const transformers = new Map();
    onmessage = ({ data }) => transformers.get(data).sendKeyFrameRequest();
    onrtctransform = ({ transformer }) => {
      transformers.set(transformer.options, transformer);
      const head = [${[...markUnit.subarray(0, 12)].join()}];
      const isMarked = ({ data }) => {
        const bytes = [...new Uint8Array(data, 0, Math.min(200, data.byteLength))];
        return bytes.some((_, at) => head.every((byte, nth) => bytes[at + nth] === byte));
      };
      const count = new TransformStream({
        transform(frame, controller) {
          if (isMarked(frame)) postMessage(transformer.options);
          controller.enqueue(frame);
        },
      });
      transformer.readable.pipeThrough(count).pipeTo(transformer.writable);
    };
  \`])));
  const marked = new Map();
  asking.onmessage = ({ data: leg }) => marked.set(leg, 1 + (marked.get(leg) ?? 0));
  const receivedOf = async (leg, wanted) => {
    const stats = [...(await connections.get(leg).getStats()).values()];
    return stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === wanted);
  };
  globalThis.farEnd = {
    askForKeyFrame: (leg) => asking.postMessage(leg),
    videoOf: async (leg) => ({ ...(await receivedOf(leg, 'video')), framesMarked: marked.get(leg) ?? 0 }),
    soundOf: (leg) => receivedOf(leg, 'audio'),
    async answer(leg, offer, sendsVideo) {
      const connection = new RTCPeerConnection();
      connections.set(leg, connection);
      connection.onicecandidate = ({ candidate }) => candidate && tellCandidate(leg, candidate.toJSON());
      connection.ontrack = ({ track, receiver }) => {
        if (track.kind === 'video') receiver.transform = new RTCRtpScriptTransform(asking, leg);
        else Object.assign(document.createElement('audio'), { srcObject: new MediaStream([track]) }).play();
      };
      await connection.setRemoteDescription({ type: 'offer', sdp: offer });
      for (const track of (await camera).getTracks()) {
        if (track.kind === 'audio' || sendsVideo) connection.addTrack(track);
      }
      await connection.setLocalDescription();
      return connection.localDescription.sdp;
    },
    candidate: (leg, candidate) => connections.get(leg).addIceCandidate(candidate),
    async fallSilent() {
      for (const track of (await camera).getAudioTracks()) track.enabled = false;
    },
    hangUp: (leg) => connections.get(leg).close(),
  };
`;
