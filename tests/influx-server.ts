import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** A real InfluxDB 1.x (Debian's package `influxdb`) on a port and in a folder of its own, with login. */
export interface InfluxServer {
  readonly port: number;
  /** With its database: what `--influx` takes. */
  readonly address: string;
  readonly user: string;
  readonly password: string;
  /** Runs InfluxQL. Throws what InfluxDB answers instead of a result. */
  query(text: string): Promise<readonly Series[]>;
  /** Points per measurement, counted by InfluxDB; of the field that every point of the measurement has. */
  count(): Promise<number>;
  /** Ends it as a power cut would; what it had taken is on its disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  dispose(): Promise<void>;
}

interface Series {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly values: readonly (readonly (string | number | boolean | null)[])[];
}

/** A field that every point of the measurement has. */
const always: Readonly<Record<string, string>> = {
  loadline_run_start: 'cores',
  loadline_run: 'trials',
  loadline_event: 'title',
  loadline_trial: 'size',
  loadline_threshold: 'limit',
  loadline_arrivals: 'due',
  loadline_arrivals_second: 'due',
  loadline_probe_trial: 'up',
  loadline_stream_trial: 'size',
  loadline_probe: 'intervalMs',
  loadline_leg: 'connectionState',
  loadline_stream: 'intervalMs',
  loadline_host: 'cores',
  loadline_server: 'reading',
  loadline_turn: 'reading',
  loadline_cluster_server: 'reading',
  loadline_scraped: 'scraped',
};
const database = 'loadline';
const user = 'loadline-test';
const readyWithinMs = 20_000;

export async function openInflux(): Promise<InfluxServer> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-influx-'));
  const password = `pw-${Math.random().toString(36).slice(2)}-${Date.now()}`;
  const [port, rpcPort] = [await freePort(), await freePort()];
  await writeFile(join(folder, 'influxdb.conf'), configuration(folder, port, rpcPort));
  let child: ChildProcess | undefined;
  const ask = (text: string, login: boolean) => ask1(port, text, login ? password : undefined);
  const start = async () => {
    child = spawn('influxd', ['-config', join(folder, 'influxdb.conf')], { stdio: 'ignore' });
    await ready(port, child);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  await ask(`CREATE USER "${user}" WITH PASSWORD '${password}' WITH ALL PRIVILEGES`, false);
  await ask(`CREATE DATABASE ${database}`, true);
  const query = (text: string) => ask(text, true);
  return {
    port,
    address: `http://127.0.0.1:${port}?db=${database}`,
    user,
    password,
    query,
    count: () => countAll(query),
    kill,
    start,
    dispose: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function countAll(query: InfluxServer['query']): Promise<number> {
  const names = (await query('SHOW MEASUREMENTS'))[0]?.values.map(([name]) => String(name)) ?? [];
  let total = 0;
  for (const name of names) {
    const [series] = await query(`SELECT count("${always[name] ?? 'no such field'}") FROM "${name}"`);
    total += Number(series?.values[0]?.[1] ?? 0);
  }
  return total;
}

async function ask1(port: number, text: string, password: string | undefined): Promise<readonly Series[]> {
  const authorization = `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`;
  const response = await fetch(`http://127.0.0.1:${port}/query?db=${database}`, {
    method: 'POST',
    headers: password === undefined ? {} : { authorization },
    body: new URLSearchParams({ q: text }),
  });
  const answer = (await response.json()) as {
    error?: string;
    results?: readonly { error?: string; series?: readonly Series[] }[];
  };
  const error = answer.error ?? answer.results?.find((one) => one.error !== undefined)?.error;
  if (error !== undefined) throw new Error(`${text}: ${error}`);
  return answer.results?.flatMap((one) => one.series ?? []) ?? [];
}

async function ready(port: number, child: ChildProcess): Promise<void> {
  const untilMs = Date.now() + readyWithinMs;
  while (Date.now() < untilMs && child.exitCode === null) {
    const there = await fetch(`http://127.0.0.1:${port}/ping`).then(
      (response) => response.ok,
      () => false,
    );
    if (there) return;
    await sleep(50);
  }
  throw new Error(`influxd is not there: exit ${child.exitCode}; is the package influxdb installed?`);
}

function configuration(folder: string, port: number, rpcPort: number): string {
  return `reporting-disabled = true
bind-address = "127.0.0.1:${rpcPort}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
  query-log-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  auth-enabled = true
  log-enabled = false
[monitor]
  store-enabled = false
`;
}
