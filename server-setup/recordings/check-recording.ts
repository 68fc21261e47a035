import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import {
  type ExpectedRecording,
  ffprobeSchema,
  type RecordingProblem,
  recordingProblems,
} from './recording-problems.js';

interface Finished {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Checks one recorded file: exists, lasts as long as was recorded (± 1 s), has its tracks, decodes, has its frames.
 * Returns what is wrong, worst first. Rejects only when `ffprobe` itself cannot be run (ENOENT).
 */
export async function checkRecording(path: string, expected: ExpectedRecording): Promise<readonly RecordingProblem[]> {
  const size = await stat(path).then(
    (file) => file.size,
    () => undefined,
  );
  if (size === undefined) return [{ code: 'missing', detail: 'does not exist' }];
  if (size === 0) return [{ code: 'empty', detail: 'is empty (0 bytes)' }];
  const { stdout, stderr } = await ffprobe(path);
  const parsed = ffprobeSchema.safeParse(json(stdout));
  if (!parsed.success || parsed.data.streams.length === 0) {
    return [{ code: 'unreadable', detail: `cannot be read: ${stderr.trim().split('\n')[0] ?? 'no streams found'}` }];
  }
  return recordingProblems(parsed.data, stderr, expected);
}

const entries = 'packet=codec_type,pts_time:stream=codec_type,nb_read_frames';

function ffprobe(path: string): Promise<Finished> {
  const args = [
    '-v',
    'error',
    '-count_frames',
    '-show_packets',
    '-show_streams',
    '-show_entries',
    entries,
    '-of',
    'json',
    path,
  ];
  return new Promise((resolve, reject) => {
    execFile('ffprobe', args, { maxBuffer: 256 << 20, timeout: 120_000 }, (error, stdout, stderr) => {
      if (error && 'code' in error && error.code === 'ENOENT') reject(error);
      else resolve({ stdout, stderr });
    });
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
