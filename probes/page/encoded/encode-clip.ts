import { type EncodableCodec, isEncodable } from '../../../model/codec.js';
import { base64 } from '../base64.js';
import type { EncodeOrder } from '../wire.js';
import { packClip, type Rung } from './clip-file.js';
import { inPlaceOf } from './light-voice.js';
import { rungLadder, topRates } from './rungs.js';
import { temporalPattern } from './temporal-pattern.js';

/**
 * libwebrtc's encoders give a key frame every 3000 frames unless asked. The chains of the top rates are somewhat
 * shorter, as clips take time to make and memory. Lower rates are many, for hard times, with a key frame each ten
 * seconds. Those of larger pictures are shorter, so that to make them takes no longer.
 */
const chainFrames = { top: 2000, lower: 300 } as const;
const largeChainFrames = { top: 600, lower: 120 } as const;
const usualPixels = 640 * 360;
const longestQueue = 8;
const packetMs = 20;
/** Opus as a browser sends speech (SILK below, CELT above), about 32 kbit/s. */
const browsersVoice: Voice = { bitrate: 32_000 };
/**
 * CELT alone with few bits and the fewest tools, which is narrow band then: a third of the decoder's CPU (libopus 1.3:
 * 9.7 µs a packet, where a browser's take 30). With the padding that it is sent with, no packet differs in size.
 */
const lightVoice: Voice = {
  bitrate: 12_000,
  bitrateMode: 'constant',
  opus: { application: 'lowdelay', complexity: 0 },
};
/** WebCodecs' names; H264 is the constrained baseline that probes offer. */
const encoders: Readonly<Record<EncodableCodec, Pick<VideoEncoderConfig, 'codec' | 'avc'>>> = {
  VP8: { codec: 'vp8' },
  H264: { codec: 'avc1.42e01f', avc: { format: 'annexb' } },
};

/** One still picture and "nothing has changed", as small as they come. */
const standInSize = 16;

/** Encodes the raw clip of the fake camera and microphone once at every rate. Returns the clip packed, as base64. */
export async function encodeClip(order: EncodeOrder): Promise<string> {
  const camera = readY4m(await inParts(order.camera));
  const { media, topKbps = topRates(media.videoKbps) } = order;
  const { width, height, framesPerSecond, videoCodec } = media;
  if (!isEncodable(videoCodec)) throw new Error(`no clips are made of ${videoCodec}`);
  const codec = encoders[videoCodec];
  const frames = width * height > usualPixels ? largeChainFrames : chainFrames;
  const rungs: Rung[] = [];
  for (const kbps of rungLadder(topKbps)) {
    const count = kbps >= (topKbps[0] ?? 0) ? frames.top : frames.lower;
    const shape = { width, height, kbps, framesPerSecond, isLayer: order.isLayer };
    rungs.push({ kbps, frames: await encodeVideo(codec, shape, count, (index) => camera(index)) });
  }
  const grey = new Uint8Array((standInSize * standInSize * 3) / 2).fill(128);
  const tiny = { width: standInSize, height: standInSize, kbps: 50, framesPerSecond };
  const [key = new Uint8Array(), , unchanged = new Uint8Array()] = await encodeVideo(codec, tiny, 3, () => grey);
  // H264 numbers its frames: one delta again and again would be decoded as loss, a whole tiny picture is not.
  const delta = videoCodec === 'H264' ? key : unchanged;
  const microphone = await (await fetch(order.microphone)).arrayBuffer();
  const packets = await encodeVoice(microphone, browsersVoice);
  const lightPackets = inPlaceOf(packets, await encodeVoice(microphone, lightVoice));
  return base64(packClip({ width, height, framesPerSecond, rungs, standIn: { key, delta }, packets, lightPackets }));
}

/** What is too long for one answer: each address has where its part begins, and behind the end is nothing. */
async function inParts(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Blob[] = [];
  for (let bytes = 0; ; ) {
    const part = await (await fetch(`${address}?${bytes}`)).blob();
    if (part.size === 0) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(part);
    bytes += part.size;
  }
}

interface VideoShape {
  readonly width: number;
  readonly height: number;
  readonly kbps: number;
  readonly framesPerSecond: number;
  /** It is a layer of a simulcast: VP8 is in three temporal layers then, as browsers send it. */
  readonly isLayer?: boolean;
}

/** A key frame, then deltas. Rejects when the encoder drops a frame or makes another key frame. */
async function encodeVideo(
  codec: Pick<VideoEncoderConfig, 'codec' | 'avc'>,
  { width, height, kbps, framesPerSecond, isLayer }: VideoShape,
  count: number,
  rawFrame: (index: number) => Uint8Array<ArrayBuffer>,
): Promise<readonly Uint8Array[]> {
  const frames: Uint8Array[] = [];
  const problems: unknown[] = [];
  const isTemporal = isLayer === true && codec === encoders.VP8;
  const encoder = new VideoEncoder({
    output: (chunk, { svc } = {}) => {
      const { layer } = temporalPattern[frames.length % temporalPattern.length] ?? {};
      if (isTemporal && svc?.temporalLayerId !== layer)
        problems.push(`frame ${frames.length} is of temporal layer ${svc?.temporalLayerId}, not of ${layer}`);
      if ((chunk.type === 'key') !== (frames.length === 0)) problems.push(`frame ${frames.length} is ${chunk.type}`);
      frames.push(bytesOf(chunk));
    },
    error: (error) => problems.push(error),
  });
  encoder.configure({
    ...codec,
    width,
    height,
    bitrate: kbps * 1000,
    framerate: framesPerSecond,
    latencyMode: 'realtime',
    bitrateMode: 'constant',
    ...(isTemporal ? { scalabilityMode: 'L1T3' } : {}),
  });
  for (let index = 0; index < count && problems.length === 0; index += 1) {
    const timestamp = Math.round((index * 1_000_000) / framesPerSecond);
    const frame = new VideoFrame(rawFrame(index), {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp,
    });
    encoder.encode(frame, { keyFrame: index === 0 });
    frame.close();
    while (encoder.encodeQueueSize > longestQueue) await next(encoder, 'dequeue');
  }
  await encoder.flush();
  encoder.close();
  if (frames.length !== count) problems.push(`${frames.length} of ${count} frames came`);
  if (problems.length > 0) throw new Error(`the clip cannot be encoded at ${kbps} kbit/s: ${problems.join('; ')}`);
  return frames;
}

/** WebCodecs' settings of Opus; the types of the browser's API do not know all of them yet. */
interface Voice extends Pick<AudioEncoderConfig, 'bitrate' | 'bitrateMode'> {
  readonly opus?: { readonly application: 'lowdelay'; readonly complexity: number };
}

/** Opus, mono, 20 ms a packet. */
async function encodeVoice(wav: ArrayBuffer, voice: Voice): Promise<readonly Uint8Array[]> {
  const packets: Uint8Array[] = [];
  const problems: unknown[] = [];
  const sampleRate = new DataView(wav).getUint32(24, true);
  const encoder = new AudioEncoder({
    output: (chunk) => void packets.push(bytesOf(chunk)),
    error: (error) => problems.push(error),
  });
  encoder.configure({ codec: 'opus', sampleRate, numberOfChannels: 1, ...voice });
  const samples = new Int16Array(wav.slice(44));
  const perPacket = (sampleRate * packetMs) / 1000;
  for (let at = 0; at + perPacket <= samples.length; at += perPacket) {
    const data = samples.slice(at, at + perPacket);
    const timestamp = Math.round((at * 1_000_000) / sampleRate);
    const shape = { format: 's16', sampleRate, numberOfFrames: perPacket, numberOfChannels: 1, timestamp } as const;
    const audio = new AudioData({ ...shape, data });
    encoder.encode(audio);
    audio.close();
  }
  await encoder.flush();
  encoder.close();
  if (problems.length > 0) throw new Error(`the voice cannot be encoded: ${problems.join('; ')}`);
  return packets;
}

function bytesOf(chunk: EncodedVideoChunk | EncodedAudioChunk): Uint8Array {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  return bytes;
}

/** Frames of a YUV4MPEG2 file in I420, again and again. */
function readY4m(file: Uint8Array<ArrayBuffer>): (index: number) => Uint8Array<ArrayBuffer> {
  const lineEnd = file.indexOf(10);
  const header = new TextDecoder().decode(file.subarray(0, lineEnd));
  const [width, height] = [/ W(\d+)/, / H(\d+)/].map((pattern) => Number(pattern.exec(header)?.[1]));
  const size = ((width ?? 0) * (height ?? 0) * 3) / 2;
  const marker = 'FRAME\n'.length;
  const count = Math.floor((file.length - lineEnd - 1) / (size + marker));
  return (index) => {
    const at = lineEnd + 1 + (index % count) * (size + marker) + marker;
    return file.subarray(at, at + size);
  };
}

function next(target: EventTarget, event: string): Promise<unknown> {
  return new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));
}
