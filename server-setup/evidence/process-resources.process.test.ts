import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@playwright/test';
import { soon } from '../../tests/soon.js';
import { findCgroupTree } from '../cpu-limit/cpu-cage.js';
import { findListener, ProcessMeter, parseListeners } from './process-resources.js';
import { parseDrops, SocketDrops } from './socket-drops.js';

const udpTable = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  412: 0100007F:A1B2 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1001 2 0000000000000000 17
  413: 0100007F:A1B3 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1002 2 0000000000000000 5`;

test('drops are read for the sockets of the process alone', () => {
  expect([...parseDrops(udpTable, new Set(['1001']))]).toEqual([['1001', 17]]);
});

test('descriptors are looked through when a socket is new, and not each second; no drop is lost until then', async () => {
  const sockets = new Map([['1', { drops: 5, isOurs: true }]]);
  let [looks, nowMs] = [0, 0];
  const drops = new SocketDrops({
    table: async () =>
      [...sockets].map(([inode, { drops }]) => ` 1: 0:0 0:0 07 0 0 0 0 0 ${inode} 2 0 ${drops}`).join('\n'),
    inodesOf: async () => {
      looks += 1;
      nowMs += 200;
      return new Set([...sockets].flatMap(([inode, { isOurs }]) => (isOurs ? [inode] : [])));
    },
    nowMs: () => nowMs,
  });
  const after = async (ms: number) => {
    nowMs += ms;
    return { drops: await drops.since([1]), looks };
  };
  expect(await after(0)).toEqual({ drops: undefined, looks: 1 });
  sockets.set('1', { drops: 9, isOurs: true });
  expect(await after(1000)).toEqual({ drops: 4, looks: 1 });
  // Looking took 200 ms, so it is done every 2 s at most.
  sockets.set('2', { drops: 3, isOurs: true }).set('3', { drops: 50, isOurs: false });
  expect(await after(500)).toEqual({ drops: 0, looks: 1 });
  expect(await after(1000)).toEqual({ drops: 3, looks: 2 });
  sockets.delete('3');
  expect(await after(5000)).toEqual({ drops: 0, looks: 2 });
  // The number of a socket that is gone is another's now.
  sockets.set('3', { drops: 7, isOurs: true });
  expect(await after(5000)).toEqual({ drops: 7, looks: 3 });
});

test('only sockets that listen on the port are found, on IPv4 and IPv6', () => {
  const tcpTable = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:22B8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2001 1
   1: 0100007F:22B8 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 2002 1
   2: 00000000000000000000000000000000:22B8 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 2003 1
   3: 0100007F:22B9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2004 1`;
  expect(parseListeners(tcpTable, 8888)).toEqual(['2001', '2003']);
});

/** A fifth of a core, in periods of 20 ms. */
async function cage(folder: string, version: 1 | 2 | undefined, pid: number): Promise<void> {
  await mkdir(folder);
  if (version === 2) await writeFile(`${folder}/cpu.max`, '4000 20000');
  else {
    await writeFile(`${folder}/cpu.cfs_period_us`, '20000');
    await writeFile(`${folder}/cpu.cfs_quota_us`, '4000');
  }
  await writeFile(`${folder}/cgroup.procs`, String(pid));
}

test.describe('on a system with /proc', () => {
  test.skip(process.platform !== 'linux', 'there is no /proc here');

  test('memory that the processes of a server share counts once', async () => {
    const grown = 'x=$(head -c 20000000 /dev/zero | tr "\\0" a); for i in 1 2 3; do (while :; do sleep 1; done) & done';
    const server = spawn('sh', ['-c', `${grown}; echo up; wait`], { detached: true });
    try {
      await once(server.stdout, 'data');
      const { rssMb } = await new ProcessMeter(server.pid ?? 0).read();
      expect(rssMb).toBeGreaterThan(18);
      // Four processes that have these 20 MB each.
      expect(rssMb).toBeLessThan(60);
    } finally {
      process.kill(-(server.pid ?? 0), 'SIGKILL');
    }
  });

  test('CPU that a child of the process burns is counted', async () => {
    const burner = spawn('sh', ['-c', 'sh -c "while :; do :; done" & wait'], { detached: true });
    const pid = burner.pid ?? 0;
    try {
      const meter = new ProcessMeter(pid);
      expect((await meter.read()).cpuCores).toBeUndefined();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const reading = await meter.read();
      expect(reading.cpuCores).toBeGreaterThan(0.1);
      expect(reading.cpuCores).toBeLessThan(1.1);
      expect(reading.threads).toBe(2);
      expect(reading.rssMb).toBeGreaterThan(0);
      expect(reading.openFiles).toBeGreaterThan(2);
    } finally {
      process.kill(-pid, 'SIGKILL');
    }
  });

  test('the quota of its own control group is read, and how often it was used up; that of this process is none of its own', async () => {
    const tree = await findCgroupTree();
    const folder = `${tree?.folder}/loadline-test-${process.pid}`;
    const burner = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
    try {
      const caged = await cage(folder, tree?.version, burner.pid ?? 0).then(
        () => true,
        () => false,
      );
      test.skip(!caged, 'no right to make cgroups here: run as root');
      const meter = new ProcessMeter(burner.pid ?? 0);
      expect((await meter.read()).cpuQuotaCores).toBe(0.2);
      await soon(async () => (await meter.read()).throttledPeriods ?? 0).toBeGreaterThan(0);
      expect((await new ProcessMeter(process.pid).read()).cpuQuotaCores).toBeUndefined();
    } finally {
      burner.kill('SIGKILL');
      await once(burner, 'exit');
      await rmdir(folder).catch(() => undefined);
    }
  });

  test('a process that is gone gives an empty reading, never zeros', async () => {
    const child = spawn('true');
    await once(child, 'close');
    expect(await new ProcessMeter(child.pid ?? 0).read()).toEqual({});
  });

  test('the process that listens on a port is found with its name', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const found = await findListener((server.address() as AddressInfo).port);
    server.close();
    expect(found?.pid).toBe(process.pid);
    expect(found?.name.length).toBeGreaterThan(0);
  });
});
