import { spawn } from 'node:child_process';
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.js';

export interface RealJanus {
  /** `janus://…`. */
  readonly url: string;
  readonly adminUrl: string;
  /** `janus+http://…`. */
  readonly httpUrl: string;
  readonly pid: number;
  kill(): Promise<void>;
  /** Starts it again, after a kill, on the same ports. */
  start(): Promise<void>;
  /** Ends it, if it still runs, and removes its folder. */
  close(): Promise<void>;
}

export interface JanusSetting {
  readonly apiSecret?: string;
  readonly adminSecret?: string;
  /** Lines of janus.plugin.videoroom.jcfg, in `general`. */
  readonly videoRoom?: string;
  /** Files of plugins that are not loaded. */
  readonly without?: readonly string[];
}

const address = '127.0.0.1';
const readyWithinMs = 10_000;

export async function hasJanus(): Promise<boolean> {
  const places = (env.PATH ?? '').split(delimiter).map((folder) => access(join(folder, 'janus')));
  return (await Promise.allSettled(places)).some(({ status }) => status === 'fulfilled');
}

/** A Janus of its own, on free ports, configured in a temporary folder; `inFront` stands before its command. */
export async function realJanus(setting: JanusSetting = {}, inFront: readonly string[] = []): Promise<RealJanus> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-janus-'));
  await chmod(folder, 0o755);
  const [port, adminPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  for (const [name, text] of filesOf(setting, { port, adminPort, httpPort })) await writeFile(join(folder, name), text);
  let running = startProcess(folder, inFront);
  const kill = async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  };
  const ports = [port, httpPort, adminPort];
  const close = async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await listening(ports);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `janus://${address}:${port}`,
    adminUrl: `ws://${address}:${adminPort}`,
    httpUrl: `janus+http://${address}:${httpPort}`,
    get pid() {
      return running.child.pid ?? 0;
    },
    kill,
    start: async () => {
      running = startProcess(folder, inFront);
      await listening(ports);
    },
    close,
  };
}

function startProcess(folder: string, inFront: readonly string[]) {
  const [program = '', ...words] = [...inFront, 'janus', '-F', folder, '-o'];
  const child = spawn(program, words, { stdio: 'ignore', detached: true });
  return { child, ended: new Promise<void>((resolve) => child.once('close', () => resolve())) };
}

type Places = {
  readonly port: number;
  readonly adminPort: number;
  readonly httpPort: number;
};

/** Debian keeps the modules of Janus where its own janus.jcfg says; without that line they are looked for elsewhere. */
function filesOf(
  { apiSecret, adminSecret, videoRoom = '', without = [] }: JanusSetting,
  { port, adminPort, httpPort }: Places,
): readonly (readonly [name: string, text: string])[] {
  const secret = (name: string, value: string | undefined) => (value === undefined ? '' : `${name} = "${value}"\n`);
  const unused = ['sip', 'streaming', 'lua', 'duktape', 'voicemail', 'nosip', 'recordplay', 'textroom', 'videocall'];
  const disabled = [...unused.map((name) => `libjanus_${name}.so`), ...without].join(',');
  return [
    [
      'janus.jcfg',
      `general: {
debug_level = 3
${secret('api_secret', apiSecret)}${secret('admin_secret', adminSecret)}}
media: { slowlink_threshold = 4 }
nat: {
full_trickle = true
}
plugins: { disable = "${disabled}" }
transports: { disable = "libjanus_mqtt.so,libjanus_nanomsg.so,libjanus_rabbitmq.so,libjanus_pfunix.so" }
`,
    ],
    [
      'janus.transport.websockets.jcfg',
      `general: {
ws = true
ws_port = ${port}
ws_ip = "${address}"
}
admin: {
admin_ws = true
admin_ws_port = ${adminPort}
admin_ws_ip = "${address}"
}
`,
    ],
    [
      'janus.transport.http.jcfg',
      `general: {\nhttp = true\nport = ${httpPort}\nip = "${address}"\n}\nadmin: { admin_http = false }\n`,
    ],
    ['janus.plugin.videoroom.jcfg', `general: {\n${videoRoom}\n}\n`],
    ['janus.plugin.audiobridge.jcfg', 'general: { }\n'],
  ];
}

async function listening(ports: readonly number[]): Promise<void> {
  const endsAtMs = performance.now() + readyWithinMs;
  for (const port of ports) {
    while (!(await accepts(address, port))) {
      if (performance.now() > endsAtMs) throw new Error(`the Janus of the test does not listen on ${address}:${port}`);
      await pause(50);
    }
  }
}

function accepts(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once('connect', () => socket.destroy());
    socket.once('close', (failed) => resolve(!failed));
    socket.once('error', () => undefined);
  });
}
