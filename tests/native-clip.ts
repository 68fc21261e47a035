import type { Clip } from '../probes/page/encoded/clip-file.js';
import { padded } from '../probes/page/encoded/light-voice.js';

const framesPerSecond = 30;

/**
 * A clip for native probes whose frames say what they are to whoever reads packets, and are no pictures: VP8 (RFC 6386,
 * 9.1), and Opus of any bytes.
 */
export function clipOfBytes(rungsKbps: readonly number[], seconds = 10, width = 640): Clip {
  const height = (width * 9) / 16;
  const frameOf = (kbps: number, isKey: boolean): Uint8Array => {
    const bytes = Math.round((kbps * 125) / framesPerSecond) * (isKey ? 4 : 1);
    const frame = new Uint8Array(bytes).fill(0x55);
    // The lowest bit of a delta is set; a key frame has a start code, then its size.
    const size = [width & 0xff, width >> 8, height & 0xff, height >> 8];
    frame.set(isKey ? [0x10, 0, 0, 0x9d, 0x01, 0x2a, ...size] : [0x11]);
    return frame;
  };
  const packets = Array.from({ length: 50 }, () => new Uint8Array(80).fill(0x78));
  return {
    width,
    height,
    framesPerSecond,
    rungs: rungsKbps.map((kbps) => ({
      kbps,
      frames: Array.from({ length: seconds * framesPerSecond }, (_, nth) => frameOf(kbps, nth === 0)),
    })),
    standIn: { key: new Uint8Array(), delta: new Uint8Array() },
    packets,
    lightPackets: packets.map((packet) => padded(packet.subarray(0, 40), packet.length) ?? packet),
  };
}

/** The same as H264 between start codes (H.264, annex B): parameters and a key frame, then one slice a frame. */
export function inH264(clip: Clip): Clip {
  const unit = (type: number, bytes: number): readonly number[] => [
    ...[0, 0, 0, 1, type],
    ...new Array<number>(bytes - 5).fill(0x55),
  ];
  const frames = clip.rungs.map((rung) => ({
    ...rung,
    frames: rung.frames.map(({ length }, nth) =>
      Uint8Array.from(
        nth === 0 ? [...unit(0x67, 24), ...unit(0x68, 9), ...unit(0x65, length - 33)] : unit(0x41, length),
      ),
    ),
  }));
  return { ...clip, rungs: frames };
}
