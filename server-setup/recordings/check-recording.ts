import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { yieldToOthers } from './raw-recording.js';
import {
  type ExpectedRecording,
  ffprobeSchema,
  type RecordingProblem,
  recordingProblems,
} from './recording-problems.js';
import { openRegular } from './shelf-folder.js';

interface Finished {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Checks one recorded file: exists, lasts as long as was recorded (± 1 s), has its tracks, decodes, has its frames.
 * Returns what is wrong, worst first. Rejects only when `ffprobe` itself cannot be run (ENOENT), and on abort.
 */
export async function checkRecording(
  path: string,
  expected: ExpectedRecording,
  signal?: AbortSignal,
): Promise<readonly RecordingProblem[]> {
  const looked = await lookAt(path);
  if (looked !== undefined) return [looked];
  const { stdout, stderr } = await ffprobe(path, signal);
  const parsed = ffprobeSchema.safeParse(json(stdout));
  if (!parsed.success || parsed.data.streams.length === 0) {
    return [{ code: 'unreadable', detail: `cannot be read: ${stderr.trim().split('\n')[0] ?? 'no streams found'}` }];
  }
  return recordingProblems(parsed.data, stderr, expected);
}

async function lookAt(path: string): Promise<RecordingProblem | undefined> {
  const file = await openRegular(path);
  if (file !== undefined) {
    const { size } = await file.stat().finally(() => file.close());
    return size === 0 ? { code: 'empty', detail: 'is empty (0 bytes)' } : undefined;
  }
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return { code: 'missing', detail: isThere ? 'is no regular file, or cannot be read' : 'does not exist' };
}

/** A media file may name others, of this host and of the network: no protocol but `file`, and no format that has references. */
const localMatroska = ['-protocol_whitelist', 'file', '-f', 'matroska'] as const;

const entries = 'packet=codec_type,pts_time:stream=codec_type,nb_read_frames';

function ffprobe(path: string, signal: AbortSignal | undefined): Promise<Finished> {
  const args = [
    '-v',
    'error',
    ...localMatroska,
    '-count_frames',
    '-show_packets',
    '-show_streams',
    '-show_entries',
    entries,
    '-of',
    'json',
    `file:${path}`,
  ];
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 256 << 20, timeout: 120_000, ...(signal ? { signal } : {}) };
    const child = execFile('ffprobe', args, options, (error, stdout, stderr) => {
      const notRun = error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ABORT_ERR');
      if (notRun) reject(error);
      else resolve({ stdout, stderr });
    });
    if (child.pid !== undefined) yieldToOthers(child.pid);
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
