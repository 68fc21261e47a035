import { fileURLToPath } from 'node:url';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import type { Handle, JanusCalls } from './janus-calls.js';

export interface RecorderOptions {
  readonly calls: JanusCalls;
  readonly shelf: RecordingShelf;
  readonly onEvent: (event: ServerEvent) => void;
}

interface Publishing {
  readonly handle: Handle;
  readonly participant: string;
  readonly leg: Leg;
  /** What has not come to Janus yet. */
  readonly awaited: Set<MediaKind>;
  /** Resolves when Janus has said that it records, or did not. */
  begun?: Promise<void>;
  /** What becomes of each stream. */
  readonly files: readonly { readonly kind: MediaKind; readonly uri: string }[];
  begunAtMs?: number;
  error?: string;
}

/** The program of Debian's janus-tools that makes files of what Janus records. */
const converter = 'janus-pp-rec';
const converterInstall = 'sudo apt-get install janus-tools';

/** Both are Matroska, the one form in which recordings are looked at. */
const endingOf: Readonly<Record<MediaKind, string>> = { audio: 'mka', video: 'webm' };

/**
 * Records what each participant of one session publishes, by VideoRoom's own recorder: a file (.mjr) for each stream. It begins
 * when all that a participant sends has come, so that how long a file must last is known.
 */
export class RoomRecorder {
  readonly #options: RecorderOptions;
  readonly #publishing = new Map<string, Publishing>();
  #stopped: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** To be called before media can come. */
  attach(handle: Handle, participant: string, leg: Leg): void {
    const files = leg.sends.map((kind) => ({ kind, uri: this.#options.shelf.nextUri(participant, endingOf[kind]) }));
    this.#publishing.set(leg.id, { handle, participant, leg, files, awaited: new Set(leg.sends) });
  }

  onServerEvent(event: ServerEvent): void {
    if (event.kind !== 'flow' || event.from !== 'participant' || !event.flows || this.#stopped) return;
    const one = this.#publishing.get(event.leg);
    if (!one) return;
    one.awaited.delete(event.media);
    if (one.awaited.size === 0) one.begun ??= this.#begin(one);
  }

  async #begin(one: Publishing): Promise<void> {
    try {
      const body = { request: 'configure', record: true, filename: baseOf(one) };
      await this.#options.calls.message(one.handle, body);
      one.begunAtMs = performance.now();
      this.#tell('recording-begun', one);
    } catch (error) {
      one.error = `could not be begun: ${messageOf(error)}`;
    }
  }

  #tell(kind: 'recording-begun' | 'recording-ended', { leg, participant }: Publishing): void {
    this.#options.onEvent({ kind, atMs: Date.now(), leg: leg.id, participant });
  }

  /** Ends every recording. Never rejects: what went wrong is told with the file. */
  stop(): Promise<void> {
    this.#stopped ??= Promise.all([...this.#publishing.values()].map((one) => this.#stop(one))).then(() => undefined);
    return this.#stopped;
  }

  async #stop(one: Publishing): Promise<void> {
    const { calls, shelf } = this.#options;
    await one.begun;
    const durationMs = one.begunAtMs === undefined ? 0 : performance.now() - one.begunAtMs;
    if (one.begunAtMs === undefined) {
      one.error ??= `was never begun: no ${[...one.awaited].join(' and no ')} of it came to the server`;
    } else {
      await calls.message(one.handle, { request: 'configure', record: false }).then(
        () => this.#tell('recording-ended', one),
        (error: unknown) => {
          one.error ??= `could not be ended: ${messageOf(error)}`;
        },
      );
    }
    const { participant, error, files } = one;
    for (const [section, { kind, uri }] of files.entries()) {
      const raw = { path: `${baseOf(one)}-${kind}-${section}.mjr`, converter, install: converterInstall };
      shelf.put({ participant, uri, durationMs, kinds: [kind], raw, ...(error === undefined ? {} : { error }) });
    }
  }
}

/** What Janus is given: it adds the kind of each stream, the place of its section in the offer, and the ending. */
function baseOf({ files }: Publishing): string {
  return fileURLToPath(files[0]?.uri ?? '').replace(/\.\w+$/, '');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
