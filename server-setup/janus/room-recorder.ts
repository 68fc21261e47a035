import { fileURLToPath } from 'node:url';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { LegRecordings, type RecordingResult } from '../recordings/leg-recordings.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import type { Handle, JanusCalls } from './janus-calls.js';
import { copyWholeFrames } from './whole-frames.js';

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
