import { fileURLToPath } from 'node:url';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { LegRecordings, type RecordingResult } from '../recordings/leg-recordings.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import type { Handle, JanusCalls } from './janus-calls.js';

export interface RecorderOptions {
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

/** Records what each participant of one session publishes, by VideoRoom's own recorder: a file (.mjr) for each stream. */
export class RoomRecorder {
  readonly #options: RecorderOptions;
  readonly #recordings: LegRecordings;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#recordings = new LegRecordings(options.onEvent);
  }

  /** To be called before media can come. */
  attach(handle: Handle, participant: string, leg: Leg): void {
    const { calls, shelf } = this.#options;
    const files = leg.sends.map((kind) => ({ kind, uri: shelf.nextUri(participant, endingOf[kind]) }));
    const configure = (record: object) => calls.message(handle, { request: 'configure', ...record });
    this.#recordings.add({
      participant,
      leg,
      begin: () => configure({ record: true, filename: baseOf(files) }),
      end: () => configure({ record: false }),
      put: (result) => this.#put(participant, files, result),
    });
  }

  #put(participant: string, files: readonly StreamFile[], result: RecordingResult): void {
    for (const [section, { kind, uri }] of files.entries()) {
      const raw = { path: `${baseOf(files)}-${kind}-${section}.mjr`, converter, install: converterInstall };
      this.#options.shelf.put({ participant, uri, kinds: [kind], raw, ...result });
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
