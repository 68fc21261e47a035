import { type ChildProcess, spawn } from 'node:child_process';
import { totalmem } from 'node:os';
import { expect, test } from '@playwright/test';
import { freePort } from '../free-port.js';
import { isInstalled } from '../installed.js';
import { openWorkshop } from './running-tool.js';

const program = 'prometheus-node-exporter';
const hasExporter = isInstalled([program]);
/** What both may be apart on average: each reads /proc/stat in moments of its own. */
const apartCoresMax = 0.15;

test('what a real node_exporter tells of a host agrees with what is read of it directly', async () => {
  test.skip(!hasExporter, `${program} is not installed (apt-get install ${program})`);
  const workshop = await openWorkshop();
  const { url, close } = await startExporter();
  try {
    const windows = ['--media', 'encoded', '--measure', '15s', '--settle', '4s', '--no-record', '--no-warm-up'];
    const asked = ['try', 'one-to-one', '--size', '1', ...windows, '--evidence', url];
    const ended = await workshop.start(asked).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const { probeHost, scraped = [] } = (await (await ended.storedRun()).readEvidence(1)).value;
    const [first] = scraped;
    expect(first?.source).toContain(url);
    expect(scraped.filter(({ failure }) => failure !== undefined)).toEqual([]);
    const busy = scraped.flatMap(({ atMs, hostBusyCores: cores }) => (cores === undefined ? [] : { atMs, cores }));
    expect(busy.length).toBeGreaterThan(10);
    expect(scraped.at(-1)?.hostCores).toBe(probeHost[0]?.cores);
    expect(scraped.at(-1)?.hostMemoryMb).toBeCloseTo(totalmem() / 1024 / 1024, -2);
    const read = probeHost.map(({ atMs, busyCores: cores }) => ({ atMs, cores }));
    const from = Math.max(busy[0]?.atMs ?? 0, read[0]?.atMs ?? 0);
    const to = Math.min(busy.at(-1)?.atMs ?? 0, read.at(-1)?.atMs ?? 0);
    const [told, own] = [meanWithin(busy, from, to), meanWithin(read, from, to)];
    expect(Math.abs(told - own), `${told} cores told, ${own} read`).toBeLessThan(apartCoresMax);
    expect(told).toBeGreaterThan(0);
  } finally {
    await close();
    await workshop.dispose();
  }
});

async function startExporter(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await freePort();
  const collectors = ['cpu', 'meminfo', 'netdev', 'netclass', 'time'].map((name) => `--collector.${name}`);
  const args = [`--web.listen-address=127.0.0.1:${port}`, '--collector.disable-defaults', ...collectors];
  const child: ChildProcess = spawn(program, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${port}/metrics`;
  const answers = () =>
    fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(answers, { timeout: 10_000 }).toBe(200);
  return {
    url,
    close: () => {
      child.kill();
      return ended;
    },
  };
}

interface Busy {
  readonly atMs: number;
  readonly cores: number;
}

/** Mean over the time from `from` to `to`. A reading tells of the time since the one before it. */
function meanWithin(readings: readonly Busy[], from: number, to: number): number {
  const parts = readings.slice(1).map(({ atMs, cores }, nth) => {
    const start = readings[nth]?.atMs ?? atMs;
    return cores * Math.max(0, Math.min(atMs, to) - Math.max(start, from));
  });
  return parts.reduce((sum, one) => sum + one, 0) / (to - from);
}
