import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { steadyHeapFlags } from '../../server-setup/embedded/embedded-process.js';
import { TestClient } from '../embedded/test-client.js';

const built = fileURLToPath(new URL('../../dist/loadline.js', import.meta.url));
const resourcesShape = z.object({ rssMb: z.number(), pipelines: z.number(), endpoints: z.number() });
const hangMs = 5000;

/** An embedded server in a process of its own, as a user's is: what kills it does not kill the test. */
export interface FuzzTarget {
  readonly url: string;
  readonly pid: number;
  /** How it ended, if it did. */
  readonly ended: () => string | undefined;
  client(): Promise<TestClient>;
  /** Throws when the server is gone, or does not answer a ping on a new connection in time. */
  assertAlive(after: string): Promise<void>;
  resources(): Promise<z.infer<typeof resourcesShape>>;
  close(): Promise<void>;
}

export async function startFuzzTarget(): Promise<FuzzTarget> {
  const child = spawn(process.execPath, [...steadyHeapFlags, built, 'serve', '--port', '0', '--exit-with-stdin'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LOADLINE_NO_SETUP: '1' },
  });
  let stderr = '';
  let ended: string | undefined;
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2000);
  });
  child.on('exit', (code, signal) => {
    ended = `the server ended with ${signal ?? code}: ${stderr}`;
  });
  const url = await listening(child);
  const client = () => within(TestClient.open(url), 'a new connection');
  return {
    url,
    pid: child.pid ?? 0,
    ended: () => ended,
    client,
    assertAlive: async (after) => {
      if (ended !== undefined) throw new Error(`after ${after} ${ended}`);
      const one = await client();
      await within(one.call('ping', {}), `a ping after ${after}`);
      one.close();
    },
    resources: async () =>
      resourcesShape.parse(await (await fetch(`http://${new URL(url).host}/loadline/resources`)).json()),
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      if (ended === undefined) await within(gone, 'the end of the server');
    },
  };
}

export async function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${hangMs} ms: ${what}`)), hangMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server did not start: ${code}`)));
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const url = /^listening (ws:\S+)$/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
  });
}

const candidateShape = z.object({ candidate: z.object({ candidate: z.string() }) });

/** The UDP port of an endpoint, from its candidate. */
export function portOf(candidateEvent: unknown): number {
  const { candidate } = candidateShape.parse(candidateEvent).candidate;
  return Number(/ 127\.0\.0\.1 (\d+) /.exec(candidate)?.[1] ?? 0);
}

/** A sender of datagrams from an address that the server has never seen. */
export async function aStranger(): Promise<{ send(datagram: Buffer, port: number): Promise<void>; close(): void }> {
  const socket: Socket = createSocket('udp4');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    send: (datagram, port) => new Promise((resolve) => socket.send(datagram, port, '127.0.0.1', () => resolve())),
    close: () => socket.close(),
  };
}
