import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/**
 * The Python of a virtual environment that has aiortc and aiohttp, made by `.ci/run`; undefined where there is none.
 */
export function pythonWithAiortc(): string | undefined {
  const python = join(environment(), 'bin', 'python3');
  return existsSync(python) ? python : undefined;
}

/** Why there is none, with the last line of what installing it said. */
export function whyNoAiortc(): string {
  const log = `${environment()}.log`;
  const said = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : undefined;
  return `aiortc is not installed: ${said === undefined ? '.ci/run brings it' : `.ci/run could not bring it (${said})`}`;
}

function environment(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loadline-tests', 'aiortc');
}

const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface ForeignServer {
  readonly whip: string;
  readonly whep: string;
  /** How many sessions it holds. */
  sessions(): Promise<number>;
  /** Where it pads: bytes of each viewer's picture until now, in the order in which they came. */
  sent(): Promise<readonly { readonly media: number; readonly padding: number }[]>;
  close(): Promise<void>;
}

/** A server of WHIP and WHEP that is not ours. @param odd what it does as some product does it, and no standard */
export async function foreignServer(python: string, odd = ''): Promise<ForeignServer> {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(python, [scriptOf('whip_server.py'), odd], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(Number(String(text).trim())));
    child.once('close', (code) => reject(new Error(`the server ended with ${code} before it listened`)));
  });
  const base = `http://127.0.0.1:${port}`;
  const asked = async (path: string): Promise<unknown> => (await fetch(`${base}${path}`)).json();
  return {
    whip: `${base}/{stream}/whip`,
    whep: `${base}/{stream}/whep`,
    sessions: async () => (await asked('/sessions')) as number,
    sent: async () => (await asked('/sent')) as Awaited<ReturnType<ForeignServer['sent']>>,
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

interface ForeignClient {
  readonly audio: number;
  readonly video: number;
  /** What its two sessions were ended with, that of viewing first. */
  readonly ended: readonly number[];
}

/** A client that is not ours publishes and views a stream for so many seconds. */
export function foreignClient(python: string, whip: string, whep: string, seconds: number): Promise<ForeignClient> {
  return new Promise((resolve, reject) => {
    execFile(python, [scriptOf('whip_client.py'), whip, whep, String(seconds)], (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout) as ForeignClient);
    });
  });
}
