/**
 * What the report of 1,000 probes × 300 s costs: time and memory to build, size, and time to open in Chromium. Prints
 * the table of docs/lab/report.md. Run with `npm run build && node dist/bench/report.js`; takes about a minute.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { aPlan, aSimulatedRun, startMs } from '../tests/simulated-run.js';
import { tryOnce } from '../trial/find-limit.js';

const calls = 500;
const seconds = 300;

async function storedRun(folder: string): Promise<string> {
  const place = { parent: folder, scenario: 'one-to-one', server: 'simulated', startedAtMs: startMs };
  const runDirectory = await createRunDirectory(place);
  const { parts } = aSimulatedRun(
    { capacity: 600, seed: 7 },
    { sinks: [runDirectorySink(runDirectory)], runDirectory },
  );
  const plan = aPlan({ max: calls }, { measureMs: seconds * 1000, pacePerSecond: 100 });
  await tryOnce({ plan, scenario: oneToOne }, calls, parts, new AbortController().signal);
  return runDirectory;
}

/** Wall-clock time and highest resident memory (VmHWM, proc(5)) of `loadline report`. */
async function build(run: string): Promise<{ readonly ms: number; readonly memoryMb: number }> {
  const tool = fileURLToPath(new URL('../loadline.js', import.meta.url)).replace('/dist/bench/', '/dist/');
  const startedMs = performance.now();
  const child = spawn(execPath, [tool, 'report', run], { stdio: 'inherit', env: { ...env, LOADLINE_NO_SETUP: '1' } });
  let memoryMb = 0;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    memoryMb = Math.max(memoryMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 20);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  return { ms: performance.now() - startedMs, memoryMb };
}

async function open(report: string): Promise<number> {
  const found = await findChromium({ env });
  if (!found) throw new Error('no Chromium');
  const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const startedMs = performance.now();
    await page.goto(pathToFileURL(report).href);
    await page.locator('#trial[aria-busy=false] canvas').first().waitFor();
    return performance.now() - startedMs;
  } finally {
    await browser.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-report-'));
try {
  const run = await storedRun(folder);
  const { ms, memoryMb } = await build(run);
  const report = join(run, 'report.html');
  const { size } = await stat(report);
  const openMs = await open(report);
  process.stdout.write(
    [
      `| 1,000 probes × ${seconds} s | measured | at most |`,
      '|---|---|---|',
      `| to build | ${(ms / 1000).toFixed(1)} s | 10 s |`,
      `| memory, highest | ${memoryMb.toFixed(0)} MB | 1000 MB |`,
      `| file | ${(size / 1e6).toFixed(1)} MB | 15 MB |`,
      `| to open, with the curves of its largest trial | ${(openMs / 1000).toFixed(1)} s | 3 s |`,
      '',
    ].join('\n'),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
