import type { RecordingsRecord } from '../../model/trial.js';
import type { CheckRequest, MediaServer, Recordings } from '../media-server.js';
import { RecordingShelf, type ShelfPlace } from './recording-shelf.js';

/** What records in one session. */
interface RecordingSession {
  stopRecording(): Promise<void>;
}

/** A media server's recordings from start to stop: a shelf for files, and the sessions that fill it. */
export class ServerRecordings implements Recordings {
  readonly #sessions = new Set<RecordingSession>();
  #shelf: RecordingShelf | undefined;

  get shelf(): RecordingShelf | undefined {
    return this.#shelf;
  }

  /** Again after a restart, when a server may have another folder than before. */
  async open(where: ShelfPlace): Promise<void> {
    const { serverFolder } = where;
    if (this.#shelf !== undefined && (serverFolder === undefined || serverFolder === this.#shelf.folder)) return;
    await this.#shelf?.close();
    this.#shelf = await RecordingShelf.open(where);
  }

  /** From here on the session's recordings are ended with all others. */
  add(session: RecordingSession): void {
    this.#sessions.add(session);
  }

  async stop(): Promise<void> {
    const sessions = [...this.#sessions];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.stopRecording()));
  }

  async check(request: CheckRequest, signal: AbortSignal): Promise<RecordingsRecord> {
    return this.#shelf ? this.#shelf.check(request, signal) : { files: 0, faults: [] };
  }

  /** Lets go of what a trial left behind that did not come to its check. */
  async discard(): Promise<void> {
    this.#sessions.clear();
    await this.#shelf?.discard();
  }

  async close(): Promise<void> {
    await this.#shelf?.close();
  }
}

/** Those of a server that is not there yet; before it is, nothing is recorded. */
export function recordingsOf(server: () => MediaServer | undefined): Recordings {
  return {
    stop: async () => server()?.recordings?.stop(),
    check: async (request, signal) => (await server()?.recordings?.check(request, signal)) ?? { files: 0, faults: [] },
  };
}
