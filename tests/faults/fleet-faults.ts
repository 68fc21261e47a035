import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { processesWith, readProcesses, treeOf } from '../../host/processes.js';
import { soon } from '../soon.js';
import { kill, lastRecord, midway, reasonOf } from './evidence-of-fault.js';
import { type Fault, measuredFor, once, unrecordedCall } from './fault.js';
import { MemoryCage } from './memory-cage.js';

const needed = {
  impossible: () =>
    spawnSync('sh', ['-c', 'command -v nats-server']).status === 0 ? undefined : 'needs nats-server in PATH',
  asks: [...unrecordedCall, '--hosts', 'local:2', '--media', 'encoded'],
  long: true,
} as const;

/** Its window is longer than a lease: what is gone from its middle on is known to be gone before its end. */
const outlived = { ...needed, asks: measuredFor('25s', needed.asks) } as const;

/** Shorter than either end waits for the other. */
const busStopMs = 5000;
/** The lease is 10 s, and browsers take their time to end. */
const withoutConductorMs = 15_000;
/** For a renderer that decodes, a second's worth. */
const heldMb = 8;
const memoryCage = new MemoryCage();
const secondHost = '--name local-2';

/** One trial, and the baseline. */
const search = [
  'find',
  'one-to-one',
  '--max',
  '1',
  '--confirm',
  '1',
  '--measure',
  '10s',
  '--settle',
  '8s',
  '--no-record',
];

/** What befalls probe hosts, the bus between them and the run, and the run itself. */
export const fleetFaults: readonly Fault[] = [
  once('probe-host-killed', 'one of two probe hosts killed (SIGKILL) while measuring', {
    ...outlived,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf(secondHost)) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'host-lost'),
  }),
  once('probe-host-stopped', 'one of two probe hosts stopped (SIGSTOP) while measuring, for good', {
    ...outlived,
    inject: async (tool) => {
      await midway(tool);
      const agents = await tool.pidsOf(secondHost);
      const browsers = await startedBy(agents);
      expect(browsers.length).toBeGreaterThan(0);
      for (const pid of agents) kill(pid, 'SIGSTOP');
      // Twice the lease, for a busy machine.
      await soon(() => alive(browsers), { timeout: 20_000 }).toEqual([]);
    },
    said: async (ended) => `${await reasonOf(ended, 'host-lost')} Its browsers end while it is stopped.`,
  }),
  once(
    'probe-host-out-of-memory',
    `one of two probe hosts out of memory (held to ${heldMb} MB more than it has) while measuring`,
    {
      ...outlived,
      impossible: () => needed.impossible() ?? memoryCage.impossible(),
      stage: async () => {
        await memoryCage.make();
        return { close: () => memoryCage.remove() };
      },
      inject: async (tool) => {
        await midway(tool);
        const agents = await tool.pidsOf(secondHost);
        const tree = treeOf(await readProcesses(), new Set(agents)).map(({ pid }) => pid);
        await memoryCage.hold(tree, heldMb);
        await expect
          .poll(() => alive(tree).then(({ length }) => length), { timeout: 20_000 })
          .toBeLessThan(tree.length);
      },
      said: async (ended) => {
        const verdicts = (await ended.storedRun()).records.map(({ verdict }) => verdict);
        const told = verdicts.find(({ kind }) => kind === 'void');
        expect(told, JSON.stringify(verdicts)).toBeDefined();
        return `the kernel kills what is largest there; void: ${told?.reasons[0]?.text}`;
      },
    },
  ),
  once('bus-stopped', `the bus to two probe hosts stopped (SIGSTOP) for ${busStopMs / 1000} s while measuring`, {
    ...needed,
    inject: async (tool) => {
      await midway(tool);
      const pids = await tool.pidsOf('nats-server');
      for (const pid of pids) kill(pid, 'SIGSTOP');
      await sleep(busStopMs);
      for (const pid of pids) kill(pid, 'SIGCONT');
    },
    said: async (ended) => {
      const { probes, verdict, events } = await lastRecord(ended);
      expect(probes.flatMap(({ failures }) => failures)).toEqual([]);
      expect(events.filter(({ type }) => type === 'host-lost')).toEqual([]);
      const { value: samples } = await (await ended.storedRun()).readSamples(1);
      const seconds = samples.map(({ probe, atMs }) => `${probe} ${Math.round(atMs)}`);
      expect(new Set(seconds).size, 'no sample is there twice').toBe(seconds.length);
      return `the trial is not touched (${verdict.kind}): what was measured meanwhile came when the bus was back`;
    },
  }),
  once('bus-killed', 'the bus to two probe hosts killed (SIGKILL) while measuring, for good', {
    ...outlived,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('nats-server')) kill(pid, 'SIGKILL');
    },
    said: async (ended) => {
      expect(ended.exitCode).toBe(1);
      expect(ended.stderr).toContain('error E_HOSTS_LOST');
      return `${await reasonOf(ended, 'host-lost')} Then the run ends with E_HOSTS_LOST (1).`;
    },
  }),
  once('conductor-killed', 'a run with two probe hosts killed (SIGKILL) while measuring', {
    ...needed,
    leavesFiles: true,
    inject: async (tool) => {
      await midway(tool);
      tool.signal('SIGKILL');
    },
    said: async (ended) => {
      expect((await ended.storedRun()).manifest.plan.hosts?.from).toBe('local:2');
      return 'what was stored reads back; no browser, host or bus is left, and the next start removes the files';
    },
  }),
  once('conductor-stopped', 'a run with two probe hosts stopped (SIGSTOP) while measuring, for good, then killed', {
    ...needed,
    leavesFiles: true,
    inject: async (tool) => {
      await midway(tool);
      const browsers = await startedBy(await tool.pidsOf('--name local-'));
      expect(browsers.length).toBeGreaterThan(0);
      tool.signal('SIGSTOP');
      await expect.poll(() => alive(browsers), { timeout: withoutConductorMs }).toEqual([]);
      tool.signal('SIGKILL');
    },
    said: async (ended) => {
      expect((await ended.storedRun()).manifest.plan.hosts?.from).toBe('local:2');
      return `the browsers of both hosts end within ${withoutConductorMs / 1000} s while it is stopped; what was stored reads back`;
    },
  }),
  once('conductor-resumed', 'a search with two probe hosts killed (SIGKILL) while measuring, then resumed', {
    ...needed,
    asks: [...search, '--hosts', 'local:2', '--media', 'encoded'],
    leavesFiles: true,
    inject: async (tool) => {
      await midway(tool);
      tool.signal('SIGKILL');
    },
    said: async (ended, workshop) => {
      const resumed = await workshop.resume((await ended.storedRun()).directory);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      const hosts = (await lastRecord(resumed)).probes.map(({ host }) => host);
      expect(new Set(hosts)).toEqual(new Set(['local-1', 'local-2']));
      return 'goes on with two hosts that are started anew, and finds the answer';
    },
  }),
];

async function startedBy(pids: readonly number[]): Promise<readonly number[]> {
  const below = treeOf(await readProcesses(), new Set(pids)).map(({ pid }) => pid);
  const watching = new Set(await processesWith((argument) => argument === 'host-watch'));
  return below.filter((pid) => !pids.includes(pid) && !watching.has(pid));
}

/** One that nobody has reaped yet is none. */
async function alive(pids: readonly number[]): Promise<readonly number[]> {
  const there = (await readProcesses()).filter(({ state }) => state !== 'Z');
  return there.map(({ pid }) => pid).filter((pid) => pids.includes(pid));
}
