import { type FileHandle, lstat } from 'node:fs/promises';
import { z } from 'zod';
import { succeeds } from '../../host/bounded-wait.js';
import { unprivilegedWords } from '../../host/unprivileged.js';
import { audioPacketsPerSecond } from '../../model/codec.js';
import { jsonIn } from '../../model/json-text.js';
import { type ReadingOptions, readRecording } from './read-recording.js';
import { openRegular } from './shelf-folder.js';

/**
 * Checks one recorded file: exists, lasts as long as was recorded (± 1 s) in each track, decodes, has its frames and
 * its packets of sound.
 * Returns what is wrong, worst first. Rejects as `readRecording`.
 */
export async function checkRecording(
  path: string,
  expected: ExpectedRecording,
  options: ReadingOptions = {},
): Promise<readonly RecordingProblem[]> {
  const file = await openRegular(path);
  if (file === undefined) return [await absenceOf(path)];
  try {
    const { size } = await file.stat();
    if (size === 0) return [{ code: 'empty', detail: 'is empty (0 bytes)' }];
    return await checkOpened(file, expected, options);
  } finally {
    await file.close();
  }
}

async function checkOpened(
  file: FileHandle,
  expected: ExpectedRecording,
  options: ReadingOptions,
): Promise<readonly RecordingProblem[]> {
  const { stdout, stderr } = await ffprobe(file, options);
  const parsed = ffprobeSchema.safeParse(jsonIn(stdout));
  if (!parsed.success || parsed.data.streams.length === 0) {
    return [{ code: 'unreadable', detail: `cannot be read: ${stderr.trim().split('\n')[0] || 'no streams found'}` }];
  }
  return recordingProblems(parsed.data, stderr, expected);
}

async function absenceOf(path: string): Promise<RecordingProblem> {
  const isThere = await succeeds(lstat(path));
  return { code: 'missing', detail: isThere ? 'is no regular file, or cannot be read' : 'does not exist' };
}

/** A media file may name others: no protocol but `pipe` is allowed, and no format with references. */
const pipedMatroska = ['-protocol_whitelist', 'pipe', '-f', 'matroska'] as const;

/** A recording of an hour is decoded in less than a minute, with some hundred MiB. */
const bounds = { cpuSeconds: 120, memoryBytes: 4 * 2 ** 30 };

const entries = 'packet=codec_type,pts_time:stream=codec_type,nb_read_frames';

/** It runs without rights and gets the bytes alone, since the server chose them. */
async function ffprobe(input: FileHandle, options: ReadingOptions) {
  const words = await unprivilegedWords(bounds);
  const shown = ['-count_frames', '-show_packets', '-show_streams', '-show_entries', entries, '-of', 'json'];
  const args = ['-v', 'error', ...pipedMatroska, ...shown, 'pipe:0'];
  return readRecording({ words, program: 'ffprobe', args, install: 'sudo apt-get install ffmpeg', input }, options);
}

/** What a recorded file must be. */
interface ExpectedRecording {
  /** From record to stop as the server was told, milliseconds. */
  readonly durationMs: number;
  readonly kinds: readonly ('audio' | 'video')[];
  readonly framesPerSecond: number;
  /** Its sound has pauses: how much of it there must be is not known. */
  readonly pauses?: true;
}

type RecordingProblemCode =
  | 'missing'
  | 'empty'
  | 'unreadable'
  | 'track-missing'
  | 'duration'
  | 'undecodable'
  | 'frames-missing'
  | 'sound-missing';

interface RecordingProblem {
  readonly code: RecordingProblemCode;
  /** A sentence part with the value seen: "lasts 3.1 s, 33.0 s were recorded". */
  readonly detail: string;
}

/** The part of `ffprobe -show_streams -show_packets -count_frames -of json` that is read (ffprobe(1)). */
const ffprobeSchema = z.object({
  packets: z.array(z.object({ codec_type: z.string().optional(), pts_time: z.string().optional() })).default([]),
  streams: z.array(z.object({ codec_type: z.string().optional(), nb_read_frames: z.string().optional() })).default([]),
});

type FfprobeOutput = z.infer<typeof ffprobeSchema>;

const durationToleranceMs = 1000;
/** A picture begins with a key frame. One that was lost is asked for again after a second. */
const lackMostMs = { audio: 1000, video: 2000 } as const;
/** A frame or two are lost at the first key frame and at the stop; a sender under congestion drops some. */
const leastShareOfFrames = 0.8;

/** What is wrong with a recording, worst first; empty when nothing is. `errors` is what the decoder printed. */
function recordingProblems(
  probe: FfprobeOutput,
  errors: string,
  expected: ExpectedRecording,
): readonly RecordingProblem[] {
  const problems: RecordingProblem[] = [];
  for (const kind of expected.kinds) {
    const track = probe.streams.find((stream) => stream.codec_type === kind);
    if (!track || Number(track.nb_read_frames ?? 0) === 0) {
      problems.push({ code: 'track-missing', detail: `has no ${kind}` });
    }
  }
  const timed = expected.kinds.filter((kind) => kind === 'video' || !expected.pauses);
  const lastsMs = durationMs(probe.packets);
  if (Math.abs(lastsMs - expected.durationMs) > durationToleranceMs) {
    problems.push({
      code: 'duration',
      detail: `lasts ${seconds(lastsMs)}, ${seconds(expected.durationMs)} were recorded`,
    });
  } else {
    for (const kind of timed) {
      const packets = packetsOf(kind, probe);
      const kindMs = durationMs(packets);
      if (packets.length > 0 && expected.durationMs - kindMs > lackMostMs[kind])
        problems.push({
          code: 'duration',
          detail: `has ${kind} for ${seconds(kindMs)}, ${seconds(expected.durationMs)} were recorded`,
        });
    }
  }
  const firstError = errors.trim().split('\n')[0];
  if (firstError) problems.push({ code: 'undecodable', detail: `does not decode cleanly: ${firstError}` });
  const frames = Number(probe.streams.find((stream) => stream.codec_type === 'video')?.nb_read_frames ?? 0);
  const framesExpected = (expected.framesPerSecond * expected.durationMs) / 1000;
  if (expected.kinds.includes('video') && frames > 0 && frames < framesExpected * leastShareOfFrames) {
    problems.push({
      code: 'frames-missing',
      detail: `has ${frames} video frames, about ${Math.round(framesExpected)} were sent`,
    });
  }
  const sound = packetsOf('audio', probe).length;
  const soundExpected = (audioPacketsPerSecond * expected.durationMs) / 1000;
  if (timed.includes('audio') && sound > 0 && sound < soundExpected * leastShareOfFrames) {
    problems.push({
      code: 'sound-missing',
      detail: `has ${sound} packets of sound, about ${Math.round(soundExpected)} were sent`,
    });
  }
  return problems;
}

const packetsOf = (kind: string, { packets }: FfprobeOutput) => packets.filter((packet) => packet.codec_type === kind);

/** From the first to the last packet: live recorders often leave the header's duration empty. */
function durationMs(packets: FfprobeOutput['packets']): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const packet of packets) {
    const at = Number(packet.pts_time);
    if (packet.pts_time === undefined || Number.isNaN(at)) continue;
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return last < first ? 0 : (last - first) * 1000;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
