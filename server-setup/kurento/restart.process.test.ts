import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import type { LoadlineError } from '../../model/errors.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { both, long } from '../../tests/effort.js';
import { soon } from '../../tests/soon.js';
import { KurentoServer } from './kurento-server.js';

const { signal } = new AbortController();
const call = oneToOne.sessions(1)[0] as Session;

/** A media server that says its process number and port, and ends when it is told to. */
const program = `
  import { writeFileSync } from 'node:fs';
  import { startEmbeddedServer } from '../../embedded-server/server.js';
  const [, , pidFile, port] = process.argv;
  const server = await startEmbeddedServer({ port: Number(port) });
  writeFileSync(pidFile, process.pid + ' ' + server.port);
  setTimeout(() => process.exit(0), 60_000);
`;

let folder = '';
let pidFile = '';
let start = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-restart-'));
  pidFile = join(folder, 'pid');
  await symlink(join(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'));
  const outfile = join(folder, 'server.mjs');
  const stdin = { contents: program, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  await build({ stdin, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' });
  start = `${process.execPath} ${outfile} ${pidFile}`;
});
test.afterAll(async () => {
  try {
    // None is there where no test has started one.
    const server = await running().catch(() => undefined);
    if (server) process.kill(server.pid, 'SIGKILL');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function running(): Promise<{ readonly pid: number; readonly port: number }> {
  const [pid = 0, port = 0] = (await readFile(pidFile, 'utf8')).split(' ').map(Number);
  return { pid, port };
}

test(
  'a reset by restart brings a new process, reconnects, loses no word of it, and says how long it took',
  both,
  async () => {
    await writeFile(pidFile, '');
    const first = spawn('sh', ['-c', `exec ${start} 0`], { stdio: 'ignore' });
    await soon(async () => (await running()).pid, { timeout: 20_000 }).toBe(first.pid);
    const { port } = await running();
    const restartCommand = `kill -9 $(cut -d' ' -f1 ${pidFile}); ${start} ${port} & sleep 0.1`;
    const server = new KurentoServer({ url: `ws://127.0.0.1:${port}/kurento`, restartCommand });
    const events: ServerEvent[] = [];
    server.onEvent((event) => events.push(event));
    await server.start(signal);
    await server.openSession(call, signal);
    const proof = await server.reset(signal);
    expect(proof).toMatchObject({ how: 'restarted', released: 0, foreign: 0, restartMs: expect.any(Number) });
    expect(proof.restartMs).toBeGreaterThan(100);
    expect((await running()).pid).not.toBe(first.pid);
    expect(events).toEqual([]);
    const { pid } = await running();
    await server.openSession(call, signal);
    const asItRuns = await server.reset(signal, { anew: false });
    expect(asItRuns).toMatchObject({ how: 'listed', foreign: 0 });
    expect(asItRuns).not.toHaveProperty('restartMs');
    expect((await running()).pid).toBe(pid);
    const session = await server.openSession(call, signal);
    await session.close();
    await server.stop();
  },
);

test(
  'a server that does not come back ends the reset in its bound, with the command and what was seen',
  long,
  async () => {
    const { port } = await running();
    const options = { url: `ws://127.0.0.1:${port}/kurento`, restartWithinMs: 400 };
    const outcomeOf = async (restartCommand: string, afterwards = () => {}): Promise<LoadlineError> => {
      const server = new KurentoServer({ ...options, restartCommand });
      await server.start(signal);
      try {
        return await server.reset(signal).then(
          () => Promise.reject(new Error('it should have been rejected')),
          (error: LoadlineError) => error,
        );
      } finally {
        afterwards();
        await server.stop();
      }
    };
    const failing = await outcomeOf('exit 3');
    expect([failing.code, failing.why]).toEqual(['E_NOT_CLEAN', 'the command ended with code 3']);
    const hanging = await outcomeOf('sleep 30');
    expect(hanging.why).toBe('the command did not return in 0.4 s');
    expect(hanging.where).toBe('--reset-command "sleep 30"');
    const { pid } = await running();
    // Awake again before it is left, because a server that stands still keeps whoever leaves waiting, too.
    const gone = await outcomeOf(`kill -STOP ${pid}`, () => void process.kill(pid, 'SIGCONT'));
    expect(gone.code).toBe('E_NOT_CLEAN');
    expect(gone.why).toContain('0.4 s later');
  },
);
