import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { AggregateName } from '../../model/aggregate.js';
import type { TrialRecord } from '../../model/trial.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { mean } from '../stage/readings.js';
import type { Cell, CellKey, Figures } from './cells.js';

const seconds = { settle: 6, measure: 12 } as const;
const framesPerSecond = 30;
/** Nothing is to be judged here, and a trial of three calls comes only after one call that was stable. */
const anything = [
  'video.frozen.share <= 100%',
  'video.loss.mean <= 100%',
  'video.loss.worst5s <= 100%',
  'video.fps.mean >= 0% of baseline',
  'video.bitrate.mean >= 0% of baseline',
  'audio.bitrate.mean >= 0% of baseline',
  'audio.loss.mean <= 100%',
  'audio.jitter.mean <= 5s',
  'audio.mos.mean >= 1',
];

/** One `loadline try` on one link. `serverUrl` absent: the embedded server. */
export async function measureCell(key: CellKey, serverUrl: string | undefined): Promise<Cell> {
  const out = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
  try {
    const { stderr } = await tool([...tryArguments(key), ...(serverUrl ? ['--server', serverUrl] : []), '--out', out]);
    const [run] = await readdir(out);
    if (run === undefined) return { ...key, why: refusalIn(stderr) };
    const { records } = await readRun(join(out, run));
    const record = records.findLast(({ size }) => size === key.calls);
    // Where one call alone did not hold, more were not tried: then that trial says why.
    const [reason] = (record ?? records.at(-1))?.verdict.reasons ?? [];
    if (!record?.window) return { ...key, why: reason?.text ?? refusalIn(stderr) };
    const files = key.recorded ? join(out, run, 'recordings', `trial-${record.index}`) : undefined;
    return { ...key, figures: await figuresOf(record, files) };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function tryArguments({ calls, lossPercent, roundTripMs, recorded }: CellKey): readonly string[] {
  return [
    ...['try', 'one-to-one', '--size', String(calls), '--network', `${roundTripMs / 2}ms, ${lossPercent}% loss`],
    ...['--settle', `${seconds.settle}s`, '--measure', `${seconds.measure}s`, '--no-early-stop', '--no-warm-up'],
    // Six full probes are more than two cores encode beside a server.
    ...(calls > 1 ? ['--media', 'encoded'] : []),
    ...(recorded ? ['--keep-recordings'] : ['--no-record']),
    ...anything.flatMap((limit) => ['--threshold', limit]),
  ];
}

function tool(args: readonly string[]): Promise<{ readonly stderr: string }> {
  const script = fileURLToPath(new URL('../loadline.js', import.meta.url));
  const child = spawn(execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...env, LOADLINE_NO_SETUP: '1' },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', () => resolve({ stderr })));
}

/** The first sentence of an error, as the tool prints it. */
const refusalIn = (stderr: string): string =>
  /^.*E_[A-Z_]+.*$/m.exec(stderr)?.[0].trim() ?? stderr.trim().split('\n')[0] ?? 'nothing was said';

async function figuresOf(record: TrialRecord, files: string | undefined): Promise<Figures> {
  const received = (kind: 'audio' | 'video', name: AggregateName): number | undefined => {
    const values = record.streams.flatMap((stream) =>
      stream.direction === 'receive' && stream.kind === kind ? (stream.values[name] ?? []) : [],
    );
    return values.length === 0 ? undefined : mean(values);
  };
  return {
    frozenPercent: received('video', 'frozenPercent'),
    fps: received('video', 'fps'),
    videoKbps: received('video', 'bitrateKbps'),
    concealedPercent: received('audio', 'concealedPercent'),
    serverCores: record.load.serverCoresMean,
    hostBusyPercent: record.load.probeHostBusyPercentMean,
    fileFramesPercent: files === undefined ? undefined : await fileFramesPercent(files),
  };
}

/** Files without a length of their own: the first and the last packet say how long they are. */
async function fileFramesPercent(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  let [frames, wholeFrames] = [0, 0];
  for (const name of names) {
    const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
    const { stdout } = await promisify(execFile)('ffprobe', [...args, `file:${join(folder, name)}`]);
    const times = stdout.split('\n').flatMap((line) => (line === '' ? [] : Number.parseFloat(line)));
    frames += times.length;
    wholeFrames += 1 + ((times.at(-1) ?? 0) - (times[0] ?? 0)) * framesPerSecond;
  }
  return names.length === 0 ? undefined : (100 * frames) / wholeFrames;
}
