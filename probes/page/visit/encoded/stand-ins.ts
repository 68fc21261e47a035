import type { Size } from './wire.js';

/** A grey picture, and "nothing has changed". */
export interface StandIn {
  readonly key: Uint8Array;
  readonly delta: Uint8Array;
}

/** WebCodecs' names of what is made: frames of other codecs lean on their neighbours, and cannot be sent twice. */
const encoders: Readonly<Record<string, Pick<VideoEncoderConfig, 'codec' | 'avc'>>> = {
  'video/vp8': { codec: 'vp8' },
  'video/h264': { codec: 'avc1.42e034', avc: { format: 'annexb' } },
};

/**
 * Pictures that cost a decoder next to nothing, each made once. They are as large as what they stand for: an app that
 * reads the size of a video finds the true one.
 */
export class StandIns {
  private readonly made = new Map<string, Promise<StandIn | undefined>>();

  /** Undefined where none are made: of another codec, of no size, or where the encoder refuses. */
  of(mimeType: string, { width, height }: Size): Promise<StandIn | undefined> {
    const encoder = encoders[mimeType.toLowerCase()];
    const name = `${mimeType} ${width}x${height}`;
    const made =
      this.made.get(name) ??
      (encoder && width > 0 && height > 0
        ? encoded(encoder, { width, height }).catch(() => undefined)
        : Promise.resolve(undefined));
    this.made.set(name, made);
    return made;
  }
}

async function encoded(codec: Pick<VideoEncoderConfig, 'codec' | 'avc'>, size: Size): Promise<StandIn | undefined> {
  const chunks: Uint8Array[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      chunks.push(bytes);
    },
    error: () => undefined,
  });
  encoder.configure({ ...codec, ...size, bitrate: 100_000, framerate: 15, latencyMode: 'realtime' });
  const [codedWidth, codedHeight] = [size.width + (size.width % 2), size.height + (size.height % 2)];
  const grey = new Uint8Array((codedWidth * codedHeight * 3) / 2).fill(128);
  for (let nth = 0; nth < 3; nth += 1) {
    const visibleRect = { x: 0, y: 0, ...size };
    const timestamp = nth * 66_667;
    const frame = new VideoFrame(grey, { format: 'I420', codedWidth, codedHeight, visibleRect, timestamp });
    encoder.encode(frame, { keyFrame: nth === 0 });
    frame.close();
  }
  await encoder.flush();
  encoder.close();
  const [key, , unchanged] = chunks;
  if (!key || !unchanged) return undefined;
  // H264 numbers its frames: one delta again and again would be decoded as loss, a whole grey picture is not.
  return { key, delta: codec.avc ? key : unchanged };
}
