/**
 * What encoded probes send in place of what their own small camera yields: the same clip at several rates, each encoded
 * once as one chain of frames (a key frame, then deltas), and the microphone's packets.
 */
export interface Clip {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  /** Ascending by rate. */
  readonly rungs: readonly Rung[];
  /** What received frames are replaced with before they are decoded: a tiny picture, and "nothing has changed". */
  readonly standIn: { readonly key: Uint8Array; readonly delta: Uint8Array };
  /** The voice as a browser sends it, one Opus packet for each 20 ms. */
  readonly packets: readonly Uint8Array[];
  /** The same in packets of the same sizes that take a decoder less CPU. */
  readonly lightPackets: readonly Uint8Array[];
}

/** One rate of the clip. The first frame is a key frame, no other is. */
export interface Rung {
  readonly kbps: number;
  readonly frames: readonly Uint8Array[];
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly rungs: readonly { readonly kbps: number; readonly sizes: readonly number[] }[];
  readonly standIn: readonly number[];
  readonly packets: readonly number[];
  readonly lightPackets: readonly number[];
  /** Of all that follows the header's line. */
  readonly bytes: number;
}

const newline = 10;

/** A line of JSON with the sizes, then the frames, one after the other. */
export function packClip(clip: Clip): Uint8Array<ArrayBuffer> {
  const standIn = [clip.standIn.key, clip.standIn.delta];
  const parts = [...clip.rungs.flatMap(({ frames }) => frames), ...standIn, ...clip.packets, ...clip.lightPackets];
  const sizes = (list: readonly Uint8Array[]) => list.map(({ byteLength }) => byteLength);
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const { width, height, framesPerSecond } = clip;
  const header: Header = {
    width,
    height,
    framesPerSecond,
    rungs: clip.rungs.map(({ kbps, frames }) => ({ kbps, sizes: sizes(frames) })),
    standIn: sizes(standIn),
    packets: sizes(clip.packets),
    lightPackets: sizes(clip.lightPackets),
    bytes,
  };
  const line = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const packed = new Uint8Array(line.byteLength + bytes);
  packed.set(line);
  let at = line.byteLength;
  for (const part of parts) {
    packed.set(part, at);
    at += part.byteLength;
  }
  return packed;
}

/** The frames are views of `packed`, made for a rate when it is first played. Throws when it is cut short. */
export function unpackClip(packed: Uint8Array): Clip {
  const lineEnd = packed.indexOf(newline);
  const header = JSON.parse(new TextDecoder().decode(packed.subarray(0, lineEnd))) as Header;
  let at = lineEnd + 1;
  if (packed.byteLength - at !== header.bytes) {
    throw new Error(`the encoded clip has ${packed.byteLength - at} bytes, its header says ${header.bytes}`);
  }
  const next = (sizes: readonly number[]): (() => readonly Uint8Array[]) => {
    const from = at;
    at += sizes.reduce((sum, size) => sum + size, 0);
    return () => views(packed, from, sizes);
  };
  const rungs = header.rungs.map(({ kbps, sizes }) => rungOf(kbps, next(sizes)));
  const [key = new Uint8Array(), delta = new Uint8Array()] = next(header.standIn)();
  const [packets, lightPackets] = [next(header.packets)(), next(header.lightPackets)()];
  const { width, height, framesPerSecond } = header;
  return { width, height, framesPerSecond, rungs, standIn: { key, delta }, packets, lightPackets };
}

function rungOf(kbps: number, read: () => readonly Uint8Array[]): Rung {
  let frames: readonly Uint8Array[] | undefined;
  return {
    kbps,
    get frames() {
      frames ??= read();
      return frames;
    },
  };
}

function views(packed: Uint8Array, from: number, sizes: readonly number[]): readonly Uint8Array[] {
  let at = from;
  return sizes.map((size) => {
    at += size;
    return packed.subarray(at - size, at);
  });
}
