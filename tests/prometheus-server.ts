import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { isInstalled } from './installed.js';

/** A real Prometheus (Debian's package `prometheus`) on a port and in a folder of its own, that takes remote write. */
export interface PrometheusServer {
  /** What `--prometheus-remote-write` takes. */
  readonly address: string;
  /** All values of the series that a selector names, oldest first. */
  values(selector: string, atMs: number): Promise<readonly PromSeries[]>;
  /** What an expression gives at one moment. Throws what Prometheus answers instead of a result. */
  query(expression: string, atMs: number): Promise<readonly PromSeries[]>;
  dispose(): Promise<void>;
}

interface PromSeries {
  readonly metric: Readonly<Record<string, string>>;
  /** Seconds and a number, as text. */
  readonly values: readonly (readonly [number, string])[];
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Record<string, string>;
      readonly values?: PromSeries['values'];
      readonly value?: PromSeries['values'][number];
    }[];
  };
}

export const hasPrometheus = isInstalled(['prometheus']);
const readyWithinMs = 30_000;

/** `scrapes` are addresses of pages (`127.0.0.1:9464`) that it reads each second. */
export async function openPrometheus(scrapes: readonly string[] = []): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-prometheus-'));
  const port = await freePort();
  const file = join(folder, 'prometheus.yml');
  await writeFile(file, configuration(scrapes));
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--web.enable-remote-write-receiver',
    '--log.level=error',
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin, child);
  const query = (expression: string, atMs: number) => ask(origin, expression, atMs);
  return {
    address: origin,
    query,
    values: (selector, atMs) => query(`${selector}[2h]`, atMs),
    dispose: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(origin: string, expression: string, atMs: number): Promise<readonly PromSeries[]> {
  const body = new URLSearchParams({ query: expression, time: String(atMs / 1000) });
  const answer = (await (await fetch(`${origin}/api/v1/query`, { method: 'POST', body })).json()) as Answer;
  if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`);
  return (answer.data?.result ?? []).map(({ metric, values, value }) => ({
    metric,
    values: values ?? (value ? [value] : []),
  }));
}

async function ready(origin: string, child: ChildProcess): Promise<void> {
  const untilMs = Date.now() + readyWithinMs;
  while (Date.now() < untilMs && child.exitCode === null) {
    const there = await fetch(`${origin}/-/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (there) return;
    await sleep(50);
  }
  throw new Error(`prometheus is not there: exit ${child.exitCode}`);
}

function configuration(scrapes: readonly string[]): string {
  return `global:
  scrape_interval: 1s
storage:
  tsdb:
    out_of_order_time_window: 1d
scrape_configs:
  - job_name: loadline
    static_configs:
      - targets: ${JSON.stringify(scrapes)}
`;
}
