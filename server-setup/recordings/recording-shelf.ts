import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pid as ownPid } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { succeeds } from '../../host/bounded-wait.js';
import { makeFolders } from '../../host/make-folders.js';
import { recordingFolders } from '../../host/recording-folders.js';
import { removeFolder } from '../../host/remove-folder.js';
import { given } from '../../model/given.js';
import type { MediaKind } from '../../model/scenario.js';
import type { RecordingFault, RecordingsRecord } from '../../model/trial.js';
import type { CheckRequest } from '../media-server.js';
import { checkRecording } from './check-recording.js';
import type { RecordingResult } from './leg-recordings.js';
import { converted, type RawRecording } from './raw-recording.js';
import { NotChecked } from './read-recording.js';
import { moveFile, openRegular, openTo, removeRecorded } from './shelf-folder.js';

/** What the media server was asked to record of one participant, and what it said of it. */
interface Recorded extends RecordingResult {
  readonly participant: string;
  readonly uri: string;
  readonly kinds: readonly MediaKind[];
  /** Where the server writes in a form of its own: from which the file is made before it is looked at. */
  readonly raw?: RawRecording;
}

/** Whether this host can see the files: surely, perhaps (a server in a container), or not. */
export type FilePlace = 'here' | 'perhaps-here' | 'elsewhere';

export interface ShelfPlace {
  readonly place: FilePlace;
  /** The folder that the server records into, where it has but one; else one of ours is made for it. */
  readonly serverFolder?: string | undefined;
  /** Its process, when it is known: its user must be able to write into a folder of ours. */
  readonly serverPid?: number | undefined;
  /** Where a folder of ours is made. */
  readonly parent?: string;
}

const remoteFolder = '/tmp';

/**
 * The files that a media server records: in a folder of ours, or in its own, while it runs on this host. On another
 * host they are out of reach: they load that server as they should, and are neither checked nor removed.
 */
export class RecordingShelf {
  /** Absent where the files are out of reach. */
  readonly folder: string | undefined;
  readonly #isOurs: boolean;
  /** In front of names in a folder that others can use, too: nobody else can guess them. */
  readonly #prefix: string;
  #recorded: Recorded[] = [];
  #named = 0;

  private constructor(
    folder: string | undefined,
    private readonly sure: boolean,
    of: { readonly ours: boolean; readonly shared: boolean },
  ) {
    this.folder = folder;
    this.#isOurs = of.ours;
    this.#prefix = of.shared ? `${randomUUID()}-` : '';
  }

  static async open({ place, serverFolder, serverPid, parent = tmpdir() }: ShelfPlace): Promise<RecordingShelf> {
    const sure = place === 'here';
    if (place === 'elsewhere') return new RecordingShelf(undefined, false, { ours: true, shared: false });
    if (serverFolder !== undefined) return new RecordingShelf(serverFolder, sure, { ours: false, shared: true });
    const folder = await recordingFolders.make(parent);
    const shared = !sure && (await openTo(folder, serverPid));
    return new RecordingShelf(folder, sure, { ours: true, shared });
  }

  /** Where the server is to write the next file. No two are alike, so that none hides what a former one lacked. */
  nextUri(participant: string, ending = 'webm'): string {
    this.#named += 1;
    const name = `${participant}-${this.#named}.${ending}`;
    if (this.folder !== undefined) return pathToFileURL(join(this.folder, `${this.#prefix}${name}`)).href;
    return `file://${remoteFolder}/loadline-${ownPid}-${Date.now()}-${name}`;
  }

  put(recorded: Recorded): void {
    this.#recorded.push(recorded);
  }

  /** Looks at every file put here since the last call, then moves or removes them. Throws when aborted. */
  async check(request: CheckRequest, signal: AbortSignal): Promise<RecordingsRecord> {
    const recorded = this.#recorded;
    this.#recorded = [];
    const files = recorded.length;
    const faults = recorded.flatMap(({ participant, error }) =>
      error === undefined ? [] : { participant, detail: error },
    );
    if (this.folder === undefined) {
      return { files, faults, notChecked: 'the media server runs on another host' };
    }
    if (!this.sure && files > 0 && faults.length === 0 && (await noneExists(recorded))) {
      const notChecked = `none of them is in ${this.folder}: the media server may have a file system of its own`;
      return { files, faults, notChecked };
    }
    const seen = await lookAt(
      recorded.filter(({ error }) => error === undefined),
      request,
      signal,
    );
    await this.#letGo(recorded, request.keepIn);
    return given({ files, faults: [...faults, ...seen.faults], notChecked: seen.notChecked });
  }

  /** What could not be made a file that players know is kept as it was written. */
  async #letGo(recorded: readonly Recorded[], keepIn: string | undefined): Promise<void> {
    if (keepIn !== undefined) await makeFolders(keepIn, { mode: 0o700 });
    for (const { uri, raw } of recorded) {
      const path = fileURLToPath(uri);
      const kept = raw && keepIn !== undefined && !(await exists(path)) ? raw.path : path;
      if (keepIn === undefined) await removeRecorded(path);
      else await moveFile(kept, join(keepIn, basename(kept).slice(this.#prefix.length)));
      if (raw) await removeRecorded(raw.path);
    }
  }

  /** Removes what nobody asked about. When that is all there ever was, as after a warm-up, names begin anew. */
  async discard(): Promise<void> {
    const left = this.#recorded;
    this.#recorded = [];
    if (this.folder === undefined) return;
    await this.#letGo(left, undefined);
    if (left.length === this.#named) this.#named = 0;
  }

  /** A folder of the server's goes with the server; what was recorded for us does not wait for that. */
  async close(): Promise<void> {
    const left = this.#recorded;
    this.#recorded = [];
    if (this.folder === undefined) return;
    if (this.#isOurs) await removeFolder(this.folder);
    else await this.#letGo(left, undefined);
  }
}

async function noneExists(recorded: readonly Recorded[]): Promise<boolean> {
  const there = await Promise.all(recorded.map(({ uri, raw }) => exists(raw?.path ?? fileURLToPath(uri))));
  return !there.includes(true);
}

const exists = (path: string): Promise<boolean> => succeeds(stat(path));

interface Seen {
  readonly faults: readonly RecordingFault[];
  /** What is missing on this host, or did not end in time there. */
  readonly notChecked?: string;
}

/**
 * Without ffprobe, a file that is missing or empty is still found. As many files at a time as there are cores: each is
 * decoded by one thread, and nothing is measured meanwhile. Faults are told in the order of the files.
 */
async function lookAt(recorded: readonly Recorded[], { sentFps }: CheckRequest, signal: AbortSignal): Promise<Seen> {
  const seen: Seen[] = [];
  const left = [...recorded.entries()];
  const lookOn = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      signal.throwIfAborted();
      const [nth, one] = next;
      seen[nth] = await lookAtOne(one, sentFps.get(one.participant) ?? 0, signal);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lookOn));
  const notChecked = seen.find((one) => one.notChecked !== undefined)?.notChecked;
  return given({ faults: seen.flatMap(({ faults }) => faults), notChecked });
}

async function lookAtOne(recorded: Recorded, framesPerSecond: number, signal: AbortSignal): Promise<Seen> {
  const { participant, uri, raw } = recorded;
  const path = fileURLToPath(uri);
  const fault = (detail: string): Seen => ({ faults: [{ participant, detail }] });
  try {
    if (raw) {
      const written = await openRegular(raw.path);
      if (written === undefined)
        return fault((await exists(raw.path)) ? 'is no regular file, or cannot be read' : 'does not exist');
      await written.close();
      const failed = await converted(raw, path, signal);
      if (failed !== undefined) return fault(failed);
    }
    const problems = await checkRecording(path, { ...recorded, framesPerSecond }, { signal });
    return problems.length === 0 ? { faults: [] } : fault(problems.map(({ detail }) => detail).join(', '));
  } catch (error) {
    if (!(error instanceof NotChecked)) throw error;
    return { faults: [], notChecked: error.message };
  }
}
