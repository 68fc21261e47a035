import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { findCgroupTree, proveCpuLimit, removeDeadCages } from './cpu-cage.js';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-cgroup-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

async function mounts(lines: readonly string[]): Promise<string> {
  const file = join(folder, 'mounts');
  await writeFile(file, `${lines.join('\n')}\n`);
  return file;
}

test('on a host with both versions the one that has the cpu controller is taken', async () => {
  const hybrid = await mounts([
    'cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0',
    'cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0',
  ]);
  expect(await findCgroupTree(hybrid)).toEqual({ version: 1, folder: '/sys/fs/cgroup/cpu,cpuacct' });
});

test('version 2 is found by its controllers, and one without cpu is none', async () => {
  const file = await mounts([`cgroup2 ${folder} cgroup2 rw 0 0`, 'cgroup /x cgroup rw,cpuset 0 0']);
  expect(await findCgroupTree(file)).toBeUndefined();
  await writeFile(join(folder, 'cgroup.controllers'), 'cpuset cpu io memory\n');
  expect(await findCgroupTree(file)).toEqual({ version: 2, folder });
});

test('where no cgroup can be made the error says what to type', async () => {
  const file = join(folder, 'no-folder');
  await writeFile(file, '');
  await expect(proveCpuLimit(0.5, { version: 1, folder: file })).rejects.toMatchObject({
    code: 'E_CPU_LIMIT',
    todo: expect.stringContaining('sudo ./loadline'),
  });
});

test('a cage of version 2 gets a quota and a period, and its parent hands the controller down', async () => {
  await writeFile(join(folder, 'cgroup.subtree_control'), 'memory\n');
  // In a real hierarchy rmdir removes the files with the folder; here they keep it, to be read.
  await proveCpuLimit(0.5, { version: 2, folder });
  expect(await readFile(join(folder, `loadline-${process.pid}`, 'cpu.max'), 'utf8')).toBe('10000 20000');
  expect(await readFile(join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu');
});

test('cages of processes that are gone are removed, those of others and foreign groups stay', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await once(gone, 'exit');
  for (const name of [`loadline-${gone.pid}`, `loadline-${process.ppid}`, 'docker', 'loadline-notes'])
    await mkdir(join(folder, name));
  await removeDeadCages({ version: 1, folder });
  expect((await readdir(folder)).sort()).toEqual(['docker', 'loadline-notes', `loadline-${process.ppid}`].sort());
});

const program = `
  import { spawn } from 'node:child_process';
  import { readFileSync } from 'node:fs';
  import { cageOwnProcess } from './cpu-cage.js';
  const cage = await cageOwnProcess(0.3);
  console.log(cage.folder);
  const child = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });
  const stat = () => readFileSync(cage.folder + '/cpu.stat', 'utf8');
  const begin = performance.now();
  // Both burn until they were throttled often, however little of the machine others leave them.
  while (Number(/nr_throttled (\\d+)/.exec(stat())?.[1]) <= 10 && performance.now() - begin < 15_000);
  child.kill('SIGKILL');
  child.once('exit', async () => {
    console.log(stat().replace(/\\n/g, ' '));
    await cage.close();
    await cage.close();
  });
`;

test('a caged process and its child are throttled together, and the cage is gone at the end', async () => {
  const allowed = await proveCpuLimit(0.3).then(
    () => true,
    () => false,
  );
  test.skip(!allowed, 'no right to make cgroups here: run as root');
  const outfile = join(folder, 'caged.mjs');
  const stdin = { contents: program, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm' });
  const child = spawn(process.execPath, [outfile]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  await once(child, 'close');
  const [cage = '', stat = ''] = said.trim().split('\n');
  expect(cage).toMatch(/\/loadline-\d+$/);
  expect(Number(/nr_throttled (\d+)/.exec(stat)?.[1])).toBeGreaterThan(10);
  await expect(access(cage)).rejects.toThrow('ENOENT');
});
