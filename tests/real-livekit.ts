import { spawn } from 'node:child_process';
import { accessSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';

export interface RealLiveKit {
  /** `livekit://…`. */
  readonly url: string;
  readonly pid: number;
  /** What lets in to it. */
  readonly env: { readonly LIVEKIT_API_KEY: string; readonly LIVEKIT_API_SECRET: string };
  /** Its page of metrics. */
  readonly metricsUrl: string;
  /** Asks it to end: it waits for those who are there, and does not wait when it is asked again. */
  end(): void;
  kill(): Promise<void>;
  /** Ends it, if it still runs, and removes its folder. */
  close(): Promise<void>;
}

/** Where `.ci/run` puts it. */
const program = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loadline-tests', 'livekit', 'bin', 'server');
const readyWithinMs = 10_000;

export const noLiveKit = `no LiveKit was built (${program}; .ci/run does it where Go is)`;

export function hasLiveKit(): boolean {
  try {
    accessSync(program);
    return true;
  } catch {
    return false;
  }
}

interface Configured {
  /** Lines of its configuration of rooms. */
  readonly room?: string;
  /** The UDP port of a TURN server of its own; absent: it has none. */
  readonly turnPort?: number;
}

/** A LiveKit of its own on loopback, on free ports. */
export async function realLiveKit({ room = '{}', turnPort = 0 }: Configured = {}): Promise<RealLiveKit> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-livekit-'));
  const [port, mediaPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const keys = { LIVEKIT_API_KEY: 'tests', LIVEKIT_API_SECRET: 'only-for-tests-only-for-tests-only' };
  const file = join(folder, 'livekit.yaml');
  await writeFile(
    file,
    `port: ${port}
bind_addresses: ["127.0.0.1"]
keys: { ${keys.LIVEKIT_API_KEY}: ${keys.LIVEKIT_API_SECRET} }
logging: { level: error }
prometheus: { port: ${metricsPort} }
room: ${room}
turn: { enabled: ${turnPort > 0}, udp_port: ${turnPort}, allow_restricted_peer_cidrs: [127.0.0.0/8] }
rtc:
  node_ip: 127.0.0.1
  udp_port: ${mediaPort}
  tcp_port: 0
  use_external_ip: false
  enable_loopback_candidate: true
  interfaces: { includes: [lo] }
  stun_servers: ["127.0.0.1:1"]
`,
  );
  const child = spawn(program, ['--config', file, '--node-ip', '127.0.0.1'], { stdio: 'ignore', detached: true });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const end = () => void child.kill('SIGTERM');
  const close = async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(port);
  } catch (error) {
    await close();
    throw error;
  }
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  return { url: `livekit://127.0.0.1:${port}`, pid: child.pid ?? 0, env: keys, metricsUrl, end, kill, close };
}

async function listening(port: number): Promise<void> {
  const endsAtMs = performance.now() + readyWithinMs;
  while (!(await accepts(port))) {
    if (performance.now() > endsAtMs) throw new Error(`the LiveKit of the test does not listen on ${port}`);
    await pause(50);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy());
    socket.once('close', (failed) => resolve(!failed));
    socket.once('error', () => undefined);
  });
}
