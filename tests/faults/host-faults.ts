import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { EndedTool, Workshop } from '../system/running-tool.js';
import { eventsOf, isRoot, lastRecord, midway } from './evidence-of-fault.js';
import { type Fault, type FaultCase, measuredFor, once, type Stage, unrecordedCall } from './fault.js';
import { stepFile, steppedClock } from './stepped-clock.js';

/** What befalls the machine that the tool runs on. */
export const hostFaults: readonly Fault[] = [
  once('disk-full', 'the disk of the run filled while measuring', {
    impossible: () => (isRoot() && existsSync('/bin/mount') ? undefined : 'needs root, to mount a small disk'),
    stage: smallDisk,
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
  }),
  once('no-descriptors', 'no file descriptor left to the tool, from the reset on', {
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
  }),
  {
    id: 'clock-stepped',
    title: 'the clock of the tool set an hour forward or back while measuring, and right again as the trial leaves',
    cases: [stepBy('forward', 3_600_000), stepBy('back', -3_600_000)],
  },
  once('two-runs', 'a second run started on the same host while the first measured', {
    long: true,
    inject: async (tool, workshop) => {
      await midway(tool);
      const second = workshop.start(measuredFor('10s', unrecordedCall));
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
  }),
];

function stepBy(name: string, byMs: number): FaultCase {
  return {
    name,
    long: true,
    stage: (workshop) => steppedClock(workshop.temporaryFolder),
    inject: async (tool, workshop) => {
      await midway(tool);
      writeFileSync(stepFile(workshop.temporaryFolder), String(byMs));
      // And back when all is measured: the browsers' clock was never stepped.
      await tool.inPhase('leave');
      writeFileSync(stepFile(workshop.temporaryFolder), '0');
    },
    said: saidOfStep,
  };
}

async function saidOfStep(ended: EndedTool): Promise<string> {
  const run = await ended.storedRun();
  const [stepped, next] = run.records;
  expect(stepped?.verdict.reasons[0]?.code).toBe('environment');
  expect(next?.verdict.kind, 'the trial is repeated').toBe('stable');
  return `void: ${stepped?.verdict.reasons[0]?.text ?? ''} The trial is repeated, and stable.`;
}

/** A disk of 2 MB where the run goes. */
async function smallDisk({ out }: Workshop): Promise<Stage> {
  mkdirSync(out, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'loadline-fault', out]);
  return { close: async () => void execFileSync('umount', [out]) };
}
