import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { openInflux } from '../influx-server.js';
import {
  eventsOf,
  type Fault,
  isRoot,
  kill,
  lastRecord,
  midway,
  reasonOf,
  renderersOf,
  stepFile,
  steppingClock,
  without,
} from './fault.js';

const oneCall = ['try', 'one-to-one', '--size', '1', '--measure', '12s', '--settle', '12s', '--no-record'] as const;

export const argsOf = ({ args = [] }: Fault): readonly string[] => [...oneCall, ...args];

export const faults: readonly Fault[] = [
  {
    name: 'Chromium killed',
    long: true,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('--user-data-dir')) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'browser-crashed'),
  },
  {
    name: 'renderer crashed',
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await renderersOf(tool)) kill(pid, 'SIGSEGV');
    },
    said: (ended) => reasonOf(ended, 'page-crashed'),
  },
  {
    name: 'a probe page that never answers',
    long: true,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await renderersOf(tool)) kill(pid, 'SIGSTOP');
    },
    said: (ended) => reasonOf(ended, 'samples-missing'),
  },
  {
    name: 'media server killed',
    long: true,
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf(' serve ')) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'server-lost'),
  },
  {
    name: 'media server stopped (SIGSTOP) for 20 s',
    long: true,
    args: ['--measure', '30s'],
    inject: async (tool) => {
      await midway(tool);
      const pids = await tool.pidsOf(' serve ');
      for (const pid of pids) kill(pid, 'SIGSTOP');
      await Promise.race([sleep(20_000), tool.ended]);
      for (const pid of pids) kill(pid, 'SIGCONT');
    },
    said: async (ended) => {
      const record = await lastRecord(ended);
      expect(record.verdict.kind).toBe('unstable');
      return `unstable: ${record.verdict.reasons[0]?.text ?? ''}`;
    },
  },
  {
    name: 'disk full while writing',
    impossible: () => (isRoot() && existsSync('/bin/mount') ? undefined : 'needs root, to mount a small disk'),
    inject: async (tool, { out }) => {
      await tool.inPhase('measure');
      try {
        writeFileSync(join(out, 'filler'), Buffer.alloc(64_000_000));
      } catch {
        // It is full now.
      }
    },
    said: async (ended, { out }) => {
      rmSync(join(out, 'filler'), { force: true });
      expect(ended.exitCode).toBe(1);
      expect(ended.stderr).toContain('error E_DISK_FULL');
      const run = await ended.storedRun();
      expect(run.manifest.plan.scenario).toBe('one-to-one');
      return 'ends with E_DISK_FULL (1); what was written reads back';
    },
  },
  {
    name: 'Ctrl-C and SIGTERM in each phase',
    long: true,
    inject: async (tool) => {
      await midway(tool);
      tool.signal('SIGTERM');
    },
    said: async (ended) => {
      expect(ended.exitCode, ended.stderr).toBe(130);
      return `exits 130; ${await reasonOf(ended, 'interrupted')}`;
    },
  },
  {
    name: 'two runs at once on one host',
    long: true,
    inject: async (tool, workshop) => {
      await midway(tool);
      const second = workshop.start([...oneCall, '--measure', '10s']);
      await second.inPhase('join');
      second.signal('SIGINT');
      const run = await (await second.ended).storedRun();
      const told = (await eventsOf(run.directory)).includes(`another run of Loadline (process ${tool.pid})`);
      expect(told, 'the second run names the first').toBe(true);
    },
    said: async (ended) => {
      expect((await lastRecord(ended)).probesUp).toBe(2);
      return 'the second run warns: "Probes of another run of Loadline (process …) are at work on this host"';
    },
  },
  {
    name: 'the clock stepped by ± 1 h',
    long: true,
    env: (workshop) => {
      const preload = join(workshop.temporaryFolder, 'step-clock.mjs');
      writeFileSync(preload, steppingClock);
      return { NODE_OPTIONS: `--import=${preload}`, LOADLINE_TEST_STEP: stepFile(workshop) };
    },
    inject: async (tool, workshop) => {
      await midway(tool);
      writeFileSync(stepFile(workshop), '3600000');
      // And back once the trial is over: the browsers' clock was never stepped.
      await tool.inPhase('leave');
      writeFileSync(stepFile(workshop), '0');
    },
    said: async (ended) => {
      const run = await ended.storedRun();
      const [stepped, next] = run.records;
      expect(stepped?.verdict.reasons[0]?.code).toBe('environment');
      expect(next?.verdict.kind, 'the trial is repeated').toBe('stable');
      return `void: ${stepped?.verdict.reasons[0]?.text ?? ''} The trial is repeated, and stable.`;
    },
  },
  {
    name: 'file descriptors used up',
    impossible: () => (existsSync('/usr/bin/prlimit') ? undefined : 'needs prlimit(1)'),
    inject: async (tool) => {
      await tool.inPhase('reset');
      execFileSync('prlimit', ['--pid', String(tool.pid), '--nofile=20:20']);
    },
    said: async (ended) => {
      expect(ended.exitCode).not.toBe(0);
      const [, code = ''] = /error (E_\w+)/.exec(ended.stderr) ?? [];
      const words = `${ended.stderr}${ended.stdout}`;
      expect(words).toMatch(/EMFILE|too many open files/i);
      return `ends with ${code || 'a void trial'} (${ended.exitCode}), naming EMFILE`;
    },
  },
  {
    name: 'InfluxDB killed and back',
    long: true,
    impossible: () => (spawnSync('influxd', ['version']).status === 0 ? undefined : 'needs influxd'),
    stage: async () => {
      const influx = await openInflux();
      return {
        args: ['--influx', influx.address],
        env: { LOADLINE_INFLUX_USER: influx.user, LOADLINE_INFLUX_PASSWORD: influx.password },
        befall: async () => {
          await influx.kill();
          await sleep(3000);
          await influx.start();
        },
        close: () => influx.dispose(),
      };
    },
    inject: midway,
    said: async (ended) => {
      expect(ended.exitCode, ended.stderr).toBe(0);
      expect(ended.stderr).toContain('does not take points (ECONNREFUSED)');
      const [account, written, given] = /(\d+) of (\d+) points written[^\n]*/.exec(ended.stderr) ?? [];
      expect(written).toBe(given);
      return `the trial is not touched; ${account}`;
    },
  },
  {
    name: 'coturn killed',
    long: true,
    impossible: () => without('--turn', 'turnserver'),
    args: ['--turn', 'udp'],
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('turnserver.conf')) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'turn-lost'),
  },
  {
    name: 'the network box killed',
    long: true,
    impossible: () => without('--network', 'linux.uml') ?? (isRoot() ? undefined : 'needs root'),
    args: ['--network', '40ms'],
    inject: async (tool) => {
      await midway(tool);
      for (const pid of await tool.pidsOf('linux.uml')) kill(pid, 'SIGKILL');
    },
    said: (ended) => reasonOf(ended, 'environment'),
  },
  {
    name: 'kill -9 at random moments, then resume',
    long: true,
    args: [],
    inject: async (tool) => {
      await midway(tool);
      tool.signal('SIGKILL');
    },
    said: async (ended) => {
      const run = await ended.storedRun();
      expect(run.warnings.filter((text) => !text.includes('torn'))).toEqual([]);
      expect((await run.readSamples(1)).value.length).toBeGreaterThan(0);
      return 'samples up to a second before the kill; `--resume` goes on (20 random moments: tests/cli/resume.test.ts)';
    },
  },
];
