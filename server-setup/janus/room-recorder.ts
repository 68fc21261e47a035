import { createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { LegRecordings, type RecordingResult } from '../recordings/leg-recordings.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import { openRegular } from '../recordings/shelf-folder.js';
import type { Handle, JanusCalls } from './janus-calls.js';

interface RecorderOptions {
  readonly calls: JanusCalls;
  readonly shelf: RecordingShelf;
  readonly onEvent: (event: ServerEvent) => void;
}

/** What becomes of one stream. */
interface StreamFile {
  readonly kind: MediaKind;
  readonly uri: string;
}

/** The program of Debian's janus-tools that makes files of what Janus records. */
const converter = 'janus-pp-rec';
const converterInstall = 'sudo apt-get install janus-tools';

/** Both are Matroska, the one form in which recordings are looked at. */
const endingOf: Readonly<Record<MediaKind, string>> = { audio: 'mka', video: 'webm' };

/** Records what each participant of a session publishes, by VideoRoom's recorder: a file (.mjr) per stream. */
export class RoomRecorder {
  readonly #recordings: LegRecordings;

  constructor(private readonly options: RecorderOptions) {
    this.#recordings = new LegRecordings(options.onEvent);
  }

  /** Names the files that Janus records into, by their base. Called before the first packet. */
  attach(handle: Handle, participant: string, leg: Leg): string {
    const { calls, shelf } = this.options;
    const files = leg.sends.map((kind) => ({ kind, uri: shelf.nextUri(participant, endingOf[kind]) }));
    this.#recordings.add({
      participant,
      leg,
      // Janus does it by itself; from here on it is counted how long the files must last.
      begin: async () => undefined,
      end: () => calls.message(handle, { request: 'configure', record: false }),
      put: (result) => this.#put(participant, files, result),
    });
    return baseOf(files);
  }

  #put(participant: string, files: readonly StreamFile[], result: RecordingResult): void {
    for (const [section, { kind, uri }] of files.entries()) {
      const path = `${baseOf(files)}-${kind}-${section}.mjr`;
      // A packet of sound is a frame of its own; one of a picture is a part of one, and the last frame may lack parts.
      const copyWhole = kind === 'video' ? { copyWhole: copyWholeFrames } : {};
      const raw = { path, converter, install: converterInstall, ...copyWhole };
      this.options.shelf.put({ participant, uri, kinds: [kind], raw, ...result });
    }
  }

  onServerEvent(event: ServerEvent): void {
    this.#recordings.onServerEvent(event);
  }

  /** Ends every recording. Never rejects: what went wrong is told with the file. */
  stop(): Promise<void> {
    return this.#recordings.stop();
  }
}

/** What Janus is given: it adds the kind of each stream, the place of its section in the offer, and the ending. */
function baseOf(files: readonly StreamFile[]): string {
  return fileURLToPath(files[0]?.uri ?? '').replace(/\.\w+$/, '');
}

/**
 * Before each packet, and before the description of the file at its begin: a mark of four bytes, four of version or
 * time, and in two how many bytes follow (Janus documentation, "Recordings").
 */
const headBytes = 10;
const marks = { description: 'MJR0', packet: 'MEET' };
/** Of RTP (RFC 3550, 5.1): the marker bit is in the second byte, the timestamp begins with the fifth. */
const rtpBytes = 8;
/** A server may write packets of nothing by the million: read one by one, they would take hours. */
const blockBytes = 1 << 16;

/**
 * Copies a recording of Janus without what follows the last packet that ends a frame. The order to stop comes in the
 * middle of a frame, too, of which only the first packets are in the file then: no decoder makes a picture of it. The
 * last packet of a frame has the RTP marker bit, whatever the codec (RFC 7741, 4.1 for VP8). A file in which no frame
 * ends is copied as it is.
 */
export async function copyWholeFrames(from: string, to: string): Promise<void> {
  const file = await openRegular(from);
  if (file === undefined) throw new Error(`${from} is no regular file, or cannot be read`);
  try {
    const end = await endOfLastFrame(file);
    const bytes = file.createReadStream({ start: 0, autoClose: false, ...(end === undefined ? {} : { end: end - 1 }) });
    await pipeline(bytes, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  } finally {
    await file.close();
  }
}

/** Where the last packet of a frame with a seen end ends. Resent packets come after that end. */
async function endOfLastFrame(file: FileHandle): Promise<number | undefined> {
  const { size } = await file.stat();
  const block = Buffer.alloc(blockBytes);
  let blockAt = -blockBytes;
  let ended: { readonly timestamp: number; readonly at: number } | undefined;
  for (let at = 0; at + headBytes + rtpBytes <= size; ) {
    if (at + headBytes + rtpBytes > blockAt + blockBytes) {
      await file.read(block, 0, blockBytes, at);
      blockAt = at;
    }
    const head = block.subarray(at - blockAt, at - blockAt + headBytes + rtpBytes);
    const mark = head.toString('latin1', 0, 4);
    at += headBytes + head.readUInt16BE(headBytes - 2);
    if (at > size || (mark !== marks.packet && mark !== marks.description)) break;
    if (mark === marks.description) continue;
    const timestamp = head.readUInt32BE(headBytes + 4);
    const endsFrame = ((head[headBytes + 1] ?? 0) & 0x80) !== 0;
    if (endsFrame || timestamp === ended?.timestamp) ended = { timestamp, at };
  }
  return ended?.at;
}
