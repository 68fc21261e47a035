import { execFile } from 'node:child_process';
import { type FileHandle, lstat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { succeeds } from '../../host/bounded-wait.js';
import { childEnvironment } from '../../host/child-environment.js';
import { notFoundStatus, unprivilegedWords } from '../../host/unprivileged.js';
import { jsonIn } from '../../model/json-text.js';
import { yieldToOthers } from './raw-recording.js';
import {
  type ExpectedRecording,
  ffprobeSchema,
  type RecordingProblem,
  recordingProblems,
} from './recording-problems.js';
import { openRegular } from './shelf-folder.js';

/**
 * Checks one recorded file: exists, lasts as long as was recorded (± 1 s), has its tracks, decodes, has its frames.
 * Returns what is wrong, worst first. Rejects only when `ffprobe` itself cannot be run (ENOENT), and on abort.
 */
export async function checkRecording(
  path: string,
  expected: ExpectedRecording,
  signal?: AbortSignal,
): Promise<readonly RecordingProblem[]> {
  const file = await openRegular(path);
  if (file === undefined) return [await absenceOf(path)];
  try {
    const { size } = await file.stat();
    if (size === 0) return [{ code: 'empty', detail: 'is empty (0 bytes)' }];
    return await checkOpened(file, expected, signal);
  } finally {
    await file.close();
  }
}

async function checkOpened(
  file: FileHandle,
  expected: ExpectedRecording,
  signal?: AbortSignal,
): Promise<readonly RecordingProblem[]> {
  const { stdout, stderr } = await ffprobe(file, signal);
  const parsed = ffprobeSchema.safeParse(jsonIn(stdout));
  if (!parsed.success || parsed.data.streams.length === 0) {
    return [{ code: 'unreadable', detail: `cannot be read: ${stderr.trim().split('\n')[0] ?? 'no streams found'}` }];
  }
  return recordingProblems(parsed.data, stderr, expected);
}

async function absenceOf(path: string): Promise<RecordingProblem> {
  const isThere = await succeeds(lstat(path));
  return { code: 'missing', detail: isThere ? 'is no regular file, or cannot be read' : 'does not exist' };
}

/** A media file may name others: no protocol but `pipe` is allowed, and no format with references. */
const pipedMatroska = ['-protocol_whitelist', 'pipe', '-f', 'matroska'] as const;

/** Rows of some 60 bytes: those of two hours. */
const outputBytesMax = 64 << 20;
/** A recording of an hour is decoded in less than a minute, with some hundred MiB. */
const bounds = { cpuSeconds: 120, memoryBytes: 4 * 2 ** 30 };

const entries = 'packet=codec_type,pts_time:stream=codec_type,nb_read_frames';

/** It runs without rights and gets the bytes alone, since the server chose them. */
async function ffprobe(file: FileHandle, signal: AbortSignal | undefined) {
  const words = await unprivilegedWords(bounds);
  const shown = ['-count_frames', '-show_packets', '-show_streams', '-show_entries', entries, '-of', 'json'];
  const [program = '', ...args] = [...words, ...['ffprobe', '-v', 'error', ...pipedMatroska, ...shown, 'pipe:0']];
  return new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
    const options = {
      cwd: '/',
      env: childEnvironment(),
      maxBuffer: outputBytesMax,
      timeout: 120_000,
      killSignal: 'SIGKILL' as const,
      signal,
    };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error && 'code' in error ? error.code : undefined;
      if (code === 'ABORT_ERR') child.kill('SIGKILL');
      if (code === 'ENOENT' || code === 'ABORT_ERR') reject(error);
      else if (code === notFoundStatus) reject(Object.assign(new Error('ffprobe is not here'), { code: 'ENOENT' }));
      else resolve({ stdout, stderr });
    });
    if (child.pid !== undefined) yieldToOthers(child.pid);
    // One that ends early does not read the rest.
    if (child.stdin) pipeline(file.createReadStream({ autoClose: false }), child.stdin, () => undefined);
  });
}
