import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findCgroupTree, proveCpuLimit } from '../../server-setup/cpu-limit/cpu-cage.js';
import { processFacts } from '../../server-setup/evidence/process-facts.js';
import { fakeProcess } from '../../tests/cli/fake-process.js';
import { freePort } from '../../tests/free-port.js';
import { startedServer } from './started-server.js';

let folder: string;
let port: number;
test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-started-'));
  port = await freePort();
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = fakeProcess({ env: { PATH: process.env.PATH ?? '' } });
const never = new AbortController().signal;
const listener = () => `${process.execPath} -e 'console.log("there"); require("net").createServer().listen(${port})'`;
const started = (start: string, more: object = {}) =>
  startedServer({ name: 'a', start, ready: `127.0.0.1:${port}`, plan: {}, ...more }, folder, tool, never);

const answers = () =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).unref();
  });

test('a server is there once it answers, what it says is in its log, and it is gone when it is closed', async () => {
  const server = await started(`exec ${listener()}`);
  expect(await answers()).toBe(true);
  await server?.close();
  expect(await answers()).toBe(false);
  expect(readFileSync(join(folder, 'logs', 'a.log'), 'utf8')).toBe('there\n');
});

test('a command that leaves a service behind is ended with it', async () => {
  const server = await started(`${listener()} & sleep 0.3`);
  expect(await answers()).toBe(true);
  await server?.close();
  expect(await answers()).toBe(false);
});

test('a server that is killed and started again is another process, and how long it was away is told', async () => {
  const server = await started(`echo $$; exec ${listener()}`);
  const awayMs = await server?.killAndStart();
  expect(await answers()).toBe(true);
  expect(awayMs).toBeGreaterThan(0);
  const [first, , second] = readFileSync(join(folder, 'logs', 'a.log'), 'utf8')
    .trim()
    .split('\n');
  expect(second).not.toBe(first);
  await server?.close();
  expect(await answers()).toBe(false);
});

test('a server runs on the core that it is given, and says so', async () => {
  const server = await started(`exec ${listener()}`, { cpus: '0' });
  expect(await server?.cpus()).toBe('0');
  await server?.close();
});

test('what answers there already, and a command that fails, are no server of the study', async () => {
  const server = await started(`exec ${listener()}`);
  await expect(started(`exec ${listener()}`)).rejects.toMatchObject({
    code: 'E_SERVER_UNREACHABLE',
    why: 'something answers there before it was started',
  });
  await server?.close();
  await expect(started('exit 3')).rejects.toMatchObject({ why: 'its command exited with code 3' });
});

test('it is held by a control group of its own, with all that it starts, which goes with it', async () => {
  const allowed = await proveCpuLimit(0.5).then(
    () => true,
    () => false,
  );
  test.skip(!allowed, 'no right to make cgroups here: run as root');
  const group = `${(await findCgroupTree())?.folder}/loadline-${process.pid}`;
  const held = await started(`exec ${listener()}`, { cores: 0.5, memoryBytes: 512 * 2 ** 20 });
  const pid = await held?.pid();
  expect(pid).toBeDefined();
  expect(await processFacts(pid)).toEqual({ pid, heldTo: { cores: 0.5, memoryMb: 512 } });
  await held?.close();
  expect(await held?.pid()).toBeUndefined();
  const server = await started(`${listener()} & exit 0`, { cores: 0.5, stop: 'echo asked to stop' });
  expect(readFileSync(`${group}/cgroup.procs`, 'utf8').trim()).not.toBe('');
  await server?.close();
  expect(await answers()).toBe(false);
  expect(existsSync(group)).toBe(false);
  expect(readFileSync(join(folder, 'logs', 'a.log'), 'utf8')).toContain('asked to stop');
});
