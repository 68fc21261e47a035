/**
 * Ready-made native stacks as peers of the embedded server: libdatachannel by `node-datachannel`, and libwebrtc by `@roamhq/wrtc`. Both are loaded from a
 * folder in which whoever measures has installed them; this repository needs neither.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRtcp } from 'werift';
import { offerTo } from '../../tests/embedded/offer-to.js';
import type { TestClient } from '../../tests/embedded/test-client.js';

/** What of `node-datachannel` is used. */
interface DataChannelStack {
  readonly PeerConnection: new (name: string, config: object) => Connection;
  readonly Video: new (mid: string, direction: 'RecvOnly' | 'SendOnly') => Video;
  readonly RtcpReceivingSession: new () => object;
  readonly RtcpNackResponder: new () => object;
}
interface Connection {
  addTrack(video: Video): Track;
  setLocalDescription(): void;
  setRemoteDescription(sdp: string, type: 'answer'): void;
  addRemoteCandidate(candidate: string, mid: string): void;
  localDescription(): { readonly sdp: string } | null;
  onGatheringStateChange(listener: (state: string) => void): void;
  close(): void;
}
interface Video {
  addVP8Codec(payloadType: number): void;
  addSSRC(ssrc: number, name: string): void;
}
interface Track {
  setMediaHandler(handler: object): void;
  onOpen(listener: () => void): void;
  onMessage(listener: (message: Buffer) => void): void;
  sendMessageBinary(packet: Buffer): boolean;
}

/** What of `@roamhq/wrtc` is used: what browsers have. */
interface BrowserStack {
  readonly RTCPeerConnection: new () => BrowserConnection;
}
interface BrowserConnection extends EventTarget {
  readonly connectionState: string;
  addTransceiver(kind: 'video', init: { readonly direction: 'recvonly' }): void;
  createOffer(): Promise<{ readonly sdp: string }>;
  setLocalDescription(description: object): Promise<void>;
  setRemoteDescription(description: { readonly type: 'answer'; readonly sdp: string }): Promise<void>;
  addIceCandidate(candidate: object): Promise<void>;
  getStats(): Promise<ReadonlyMap<string, { readonly type: string; readonly packetsReceived?: number }>>;
}

const payloadType = 96;
const address = '127.0.0.1';
const connectedWithinMs = 10_000;

async function loaded<Stack>(folder: string, name: string): Promise<Stack> {
  const path = createRequire(join(folder, 'package.json')).resolve(name);
  const { default: stack } = (await import(pathToFileURL(path).href)) as { readonly default: Stack };
  return stack;
}

async function dataChannelTrack(
  { PeerConnection, Video, RtcpReceivingSession, RtcpNackResponder }: DataChannelStack,
  direction: 'RecvOnly' | 'SendOnly',
  client: TestClient,
  endpoint: string,
  ssrc: number,
): Promise<Track> {
  const connection = new PeerConnection(endpoint, { iceServers: [], bindAddress: address });
  const video = new Video('0', direction);
  video.addVP8Codec(payloadType);
  if (direction === 'SendOnly') video.addSSRC(ssrc, 'bench');
  const track = connection.addTrack(video);
  track.setMediaHandler(direction === 'RecvOnly' ? new RtcpReceivingSession() : new RtcpNackResponder());
  const open = within('a connection of libdatachannel', new Promise<void>((resolve) => track.onOpen(resolve)));
  const gathered = new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve());
  });
  connection.setLocalDescription();
  await gathered;
  const { answer, candidates } = await offerTo(client, endpoint, connection.localDescription()?.sdp ?? '');
  connection.setRemoteDescription(answer, 'answer');
  for (const { candidate } of candidates) connection.addRemoteCandidate(candidate, '0');
  await open;
  return track;
}

/** A receiver whose packets all come to JavaScript, which counts them. */
export async function dataChannelReceiver(folder: string, client: TestClient, endpoint: string): Promise<() => number> {
  const stack = await loaded<DataChannelStack>(folder, 'node-datachannel');
  const track = await dataChannelTrack(stack, 'RecvOnly', client, endpoint, 0);
  let received = 0;
  track.onMessage((packet) => {
    if (!isRtcp(packet)) received += 1;
  });
  return () => received;
}

/** One whose packets stay in C++, where nobody counts them. */
export async function unreadDataChannelReceiver(folder: string, client: TestClient, endpoint: string): Promise<void> {
  const stack = await loaded<DataChannelStack>(folder, 'node-datachannel');
  await dataChannelTrack(stack, 'RecvOnly', client, endpoint, 0);
}

/** A sender to which JavaScript hands whole RTP packets of so many bytes of payload, every one a frame of its own. It answers NACKs; nothing paces it. */
export async function dataChannelSender(
  folder: string,
  client: TestClient,
  endpoint: string,
): Promise<(bytes: number) => void> {
  const stack = await loaded<DataChannelStack>(folder, 'node-datachannel');
  const ssrc = 1 + Math.floor(Math.random() * 0xffff_fffe);
  const track = await dataChannelTrack(stack, 'SendOnly', client, endpoint, ssrc);
  let sequenceNumber = 1000;
  return (bytes) => {
    sequenceNumber += 1;
    const packet = Buffer.alloc(12 + bytes, 0x10);
    packet.writeUInt8(0x80, 0);
    packet.writeUInt8(0x80 | payloadType, 1);
    packet.writeUInt16BE(sequenceNumber & 0xffff, 2);
    packet.writeUInt32BE((sequenceNumber * 3000) >>> 0, 4);
    packet.writeUInt32BE(ssrc, 8);
    track.sendMessageBinary(packet);
  };
}

/** A receiver that is the whole of a browser's; it also hands what it receives to a decoder, which nobody can keep it from. */
export async function browserReceiver(
  folder: string,
  client: TestClient,
  endpoint: string,
): Promise<() => Promise<number>> {
  const { RTCPeerConnection } = await loaded<BrowserStack>(folder, '@roamhq/wrtc');
  const connection = new RTCPeerConnection();
  const connected = new Promise<void>((resolve) => {
    connection.addEventListener('connectionstatechange', () => connection.connectionState === 'connected' && resolve());
  });
  connection.addTransceiver('video', { direction: 'recvonly' });
  const offer = await connection.createOffer();
  await connection.setLocalDescription(offer);
  const { answer, candidates } = await offerTo(client, endpoint, offer.sdp);
  await connection.setRemoteDescription({ type: 'answer', sdp: answer });
  for (const candidate of candidates) await connection.addIceCandidate(candidate);
  await within('a connection of libwebrtc', connected);
  return async () => {
    const inbound = [...(await connection.getStats()).values()].find(({ type }) => type === 'inbound-rtp');
    return inbound?.packetsReceived ?? 0;
  };
}

function within<T>(what: string, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`${what} did not come up`)), connectedWithinMs).unref();
  });
  return Promise.race([work, late]);
}
