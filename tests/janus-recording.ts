import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from './installed.js';

export const hasConverter = isInstalled(['janus-pp-rec']);

/** One RTP packet, as Janus writes it into a recording. */
export interface RecordedPacket {
  readonly sequence: number;
  readonly frame: number;
  readonly timestamp: number;
  readonly endsFrame: boolean;
  readonly payload: Buffer;
}

const payloadBytesMax = 1100;
const clockRate = 90_000;

/** A picture encoded by ffmpeg, in the packets of RFC 7741 (4.1: the least descriptor, of one byte). */
export function packetsOfVp8(folder: string, seconds: number, framesPerSecond: number): readonly RecordedPacket[] {
  const path = join(folder, 'frames.ivf');
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=${framesPerSecond}:duration=${seconds}`];
  const codec = ['-c:v', 'libvpx', '-b:v', '1M', '-deadline', 'realtime', '-cpu-used', '8'];
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', ...source, ...codec, path]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  let sequence = 0;
  return framesOfIvf(readFileSync(path)).flatMap((bytes, frame) => {
    const count = Math.ceil(bytes.length / payloadBytesMax);
    return Array.from({ length: count }, (_, nth) => ({
      sequence: sequence++,
      frame,
      timestamp: (frame * clockRate) / framesPerSecond,
      endsFrame: nth === count - 1,
      payload: Buffer.concat([
        Buffer.from([nth === 0 ? 0x10 : 0]),
        bytes.subarray(nth * payloadBytesMax, (nth + 1) * payloadBytesMax),
      ]),
    }));
  });
}

/** A head of 32 bytes, then each frame behind its length and its time (IVF). */
function framesOfIvf(file: Buffer): readonly Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 32; at + 12 <= file.length; ) {
    const length = file.readUInt32LE(at);
    frames.push(file.subarray(at + 12, at + 12 + length));
    at += 12 + length;
  }
  return frames;
}

/** Writes packets as VideoRoom's recorder does (Janus documentation, "Recordings"). */
export function writeRecording(path: string, packets: readonly RecordedPacket[]): void {
  const described = Buffer.from(
    JSON.stringify({ t: 'v', c: 'vp8', s: 1_700_000_000_000_000, u: 1_700_000_000_000_000 }),
  );
  const parts = packets.map((packet) => block('MEET', Math.floor(packet.timestamp / 90), rtpOf(packet)));
  writeFileSync(path, Buffer.concat([block('MJR0', '0002', described), ...parts]));
}

function block(mark: string, next: number | string, content: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.write(mark, 'latin1');
  if (typeof next === 'string') head.write(next, 4, 'latin1');
  else head.writeUInt32BE(next, 4);
  head.writeUInt16BE(content.length, 8);
  return Buffer.concat([head, content]);
}

function rtpOf({ sequence, timestamp, endsFrame, payload }: RecordedPacket): Buffer {
  const head = Buffer.alloc(12);
  head[0] = 0x80;
  head[1] = 96 | (endsFrame ? 0x80 : 0);
  head.writeUInt16BE(sequence, 2);
  head.writeUInt32BE(timestamp, 4);
  head.writeUInt32BE(7, 8);
  return Buffer.concat([head, payload]);
}
