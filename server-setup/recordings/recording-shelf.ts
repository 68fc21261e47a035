import { chmod, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pid as ownPid } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ownedFolders } from '../../host/owned-folders.js';
import type { MediaKind } from '../../model/scenario.js';
import type { RecordingFault, RecordingsRecord } from '../../model/trial.js';
import type { CheckRequest } from '../media-server.js';
import { checkRecording } from './check-recording.js';

/** What the media server was asked to record of one participant, and what it said of it. */
export interface Recorded {
  readonly participant: string;
  readonly uri: string;
  /** From record to stop, as we asked for them, milliseconds. */
  readonly durationMs: number;
  readonly kinds: readonly MediaKind[];
  /** A sentence part: "was never begun: …". */
  readonly error?: string;
}

/** Whether this host can see the files: surely, perhaps (a server in a container has a file system of its own), or not. */
export type FilePlace = 'here' | 'perhaps-here' | 'elsewhere';

/** One for the recorded files of each server that runs on this host. */
export const recordingFolders = ownedFolders('recordings');

const remoteFolder = '/tmp';

/**
 * The files that a media server records: in a folder of ours while it runs on this host. On another host they are out of
 * reach: they load that server as they should, and are neither checked nor removed.
 */
export class RecordingShelf {
  readonly #folder: string | undefined;
  readonly #sure: boolean;
  #recorded: Recorded[] = [];
  #named = 0;

  private constructor(folder: string | undefined, sure: boolean) {
    this.#folder = folder;
    this.#sure = sure;
  }

  static async open({ place, parent = tmpdir() }: { place: FilePlace; parent?: string }): Promise<RecordingShelf> {
    if (place === 'elsewhere') return new RecordingShelf(undefined, false);
    const folder = await recordingFolders.make(parent);
    // The media server may run as another user; as in /tmp itself, only who made a file may remove it.
    await chmod(folder, 0o1777);
    return new RecordingShelf(folder, place === 'here');
  }

  /** Where the server is to write the next file. No two are alike, so that none hides what a former one lacked. */
  nextUri(participant: string): string {
    this.#named += 1;
    const name = `${participant}-${this.#named}.webm`;
    if (this.#folder !== undefined) return pathToFileURL(join(this.#folder, name)).href;
    return `file://${remoteFolder}/loadline-${ownPid}-${Date.now()}-${name}`;
  }

  put(recorded: Recorded): void {
    this.#recorded.push(recorded);
  }

  /** Looks at every file put here since the last call, one at a time, then moves or removes them. Throws when aborted. */
  async check(request: CheckRequest, signal: AbortSignal): Promise<RecordingsRecord> {
    const recorded = this.#recorded;
    this.#recorded = [];
    const files = recorded.length;
    const faults = recorded.flatMap(saidByServer);
    if (this.#folder === undefined) {
      return { files, faults, notChecked: 'the media server runs on another host' };
    }
    if (!this.#sure && files > 0 && faults.length === 0 && (await noneExists(recorded))) {
      const notChecked = `none of them is in ${this.#folder}: the media server may have a file system of its own`;
      return { files, faults, notChecked };
    }
    const seen = await lookAt(
      recorded.filter(({ error }) => error === undefined),
      request,
      signal,
    );
    await this.#letGo(recorded, request.keepIn);
    return { files, faults: [...faults, ...seen.faults], ...(seen.withoutTool ? { notChecked: noTool } : {}) };
  }

  async #letGo(recorded: readonly Recorded[], keepIn: string | undefined): Promise<void> {
    if (keepIn !== undefined) await mkdir(keepIn, { recursive: true });
    for (const { uri } of recorded) {
      const path = fileURLToPath(uri);
      if (keepIn === undefined) await rm(path, { force: true });
      else await move(path, join(keepIn, basename(path)));
    }
  }

  /** Removes what nobody asked about. When that is all there ever was, as after a warm-up, names begin anew. */
  async discard(): Promise<void> {
    const left = this.#recorded;
    this.#recorded = [];
    if (this.#folder === undefined) return;
    await this.#letGo(left, undefined);
    if (left.length === this.#named) this.#named = 0;
  }

  async close(): Promise<void> {
    this.#recorded = [];
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}

const noTool = 'ffprobe is not installed (sudo apt-get install ffmpeg)';

function saidByServer({ participant, error }: Recorded): RecordingFault[] {
  return error === undefined ? [] : [{ participant, detail: error }];
}

async function noneExists(recorded: readonly Recorded[]): Promise<boolean> {
  const sizes = await Promise.allSettled(recorded.map(({ uri }) => stat(fileURLToPath(uri))));
  return sizes.every(({ status }) => status === 'rejected');
}

interface Seen {
  readonly faults: readonly RecordingFault[];
  readonly withoutTool: boolean;
}

/** Without ffprobe, a file that is missing or empty is still found. */
async function lookAt(recorded: readonly Recorded[], { sentFps }: CheckRequest, signal: AbortSignal): Promise<Seen> {
  const faults: RecordingFault[] = [];
  let withoutTool = false;
  for (const { participant, uri, durationMs, kinds } of recorded) {
    signal.throwIfAborted();
    const framesPerSecond = sentFps.get(participant) ?? 0;
    try {
      const problems = await checkRecording(fileURLToPath(uri), { durationMs, kinds, framesPerSecond }, signal);
      const [first] = problems;
      if (first) faults.push({ participant, detail: problems.map(({ detail }) => detail).join(', ') });
    } catch (error) {
      if (!isMissingTool(error)) throw error;
      withoutTool = true;
    }
  }
  return { faults, withoutTool };
}

function isMissingTool(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A run directory may be on another file system, where nothing can be renamed to. A file that was never written stays away. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return;
    if (error.code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from, { force: true });
  }
}
