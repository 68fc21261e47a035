import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { type PhaseName, phases } from '../../model/trial.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import type { EndedTool, Workshop } from '../system/running-tool.js';
import { midway, reasonOf, without, withoutNetworks } from './evidence-of-fault.js';
import { type Fault, type FaultCase, once, oneCall, unrecordedCall } from './fault.js';

const stops = { SIGINT: 'Ctrl-C (SIGINT)', SIGTERM: 'SIGTERM' } as const;
type Stop = keyof typeof stops;

/** What phases need that a plain trial has not. The recorded one is plain, because the recordings are a phase. */
const needed: Partial<
  Record<PhaseName, { asks: readonly string[]; impossible: NonNullable<FaultCase['impossible']> }>
> = {
  network: onNetwork(),
  'clear-network': onNetwork(),
};

/**
 * Phases that take a while are hit when they are under way, the others as soon as the run says that they have begun.
 */
const underWay: readonly PhaseName[] = ['warm-up', 'settle', 'measure'];
const underWayMs = 1500;

/** Phases that the suites interrupt. */
const usual: readonly PhaseName[] = ['warm-up', 'measure', 'leave'];

/** Two trials of one call. */
const search = [
  'find',
  'one-to-one',
  '--max',
  '1',
  '--confirm',
  '2',
  '--measure',
  '10s',
  '--settle',
  '4s',
  '--no-record',
];

/** What ends the tool itself. */
export const stopFaults: readonly Fault[] = [
  ...(Object.keys(stops) as Stop[]).map((stop) => ({
    id: `stopped-by-${stop.toLowerCase()}`,
    title: `${stops[stop]} in each phase of a trial`,
    cases: phases.map((phase) => stopIn(phase, stop)),
  })),
  once('killed-settling', 'the tool killed (SIGKILL) while settling', {
    leavesFiles: true,
    inject: async (tool) => {
      await tool.inPhase('settle');
      await sleep(underWayMs);
      tool.signal('SIGKILL');
    },
    said: async (ended) => {
      expect((await ended.storedRun()).manifest.plan.scenario).toBe('one-to-one');
      return 'what was stored reads back; no process is left, and the next start removes the files';
    },
  }),
  once('killed-measuring', 'the tool killed (SIGKILL) while measuring', {
    long: true,
    leavesFiles: true,
    inject: async (tool) => {
      await midway(tool);
      tool.signal('SIGKILL');
    },
    said: async (ended) => {
      const run = await ended.storedRun();
      expect(run.warnings.filter((text) => !text.includes('torn'))).toEqual([]);
      expect((await run.readSamples(1)).value.length).toBeGreaterThan(0);
      return 'what was stored reads back, the samples measured before the kill among it';
    },
  }),
  once('killed-and-resumed', 'a search killed (SIGKILL) while it measured its second trial, then resumed to its end', {
    // The suites kill and resume simulated searches, at any moment.
    long: true,
    leavesFiles: true,
    asks: search,
    inject: async (tool) => {
      await tool.inPhase('measure', 2);
      await sleep(underWayMs);
      tool.signal('SIGKILL');
    },
    said: saidOfResume,
  }),
];

function stopIn(phase: PhaseName, stop: Stop): FaultCase {
  return {
    name: phase,
    ...(stop === 'SIGINT' && usual.includes(phase) ? {} : { long: true }),
    asks: oneCall,
    ...needed[phase],
    inject: async (tool) => {
      await tool.inPhase(phase);
      if (underWay.includes(phase)) await sleep(underWayMs);
      tool.signal(stop);
    },
    said: (ended) => saidOfStop(ended, phase),
  };
}

async function saidOfStop(ended: EndedTool, phase: PhaseName): Promise<string> {
  expect(ended.exitCode, ended.stderr).toBe(130);
  const run = await ended.storedRun();
  expect(run.manifest.plan.scenario).toBe('one-to-one');
  if (phase !== 'measure') return 'exits 130; what was stored reads back';
  expect(run.records[0]?.verdict.reasons[0]?.code).toBe('interrupted');
  return `exits 130; ${await reasonOf(ended, 'interrupted')}`;
}

/** The same search, undisturbed, is the measure of the one that was killed and resumed. */
async function saidOfResume(ended: EndedTool, workshop: Workshop): Promise<string> {
  const killed = await ended.storedRun();
  const stored = linesOf(killed);
  expect(stored).toHaveLength(1);
  const resumed = await workshop.resume(killed.directory);
  const whole = await workshop.start(search).ended;
  const run = await resumed.storedRun();
  expect(resumed.exitCode, resumed.stderr).toBe(whole.exitCode);
  expect(answerOf(resumed)).toEqual(answerOf(whole));
  expect(linesOf(run).slice(0, 1), 'the trial that was stored is not made again').toEqual(stored);
  expect(run.records.map(({ index }) => index)).toEqual(run.records.map((_, nth) => nth + 1));
  for (const { index } of run.records) expect((await run.readSamples(index)).value.length).toBeGreaterThan(0);
  const judged = answerOf(resumed).trials.length;
  return `the answer and the ${judged} judged trials of a run that nobody disturbed; the trial that was stored is kept, and not made again`;
}

/** Without void trials, which are repeated, and which a busy machine has more of in one run than in the other. */
function answerOf(ended: EndedTool) {
  const { outcome, limit, trials } = ended.result();
  const judged = trials.filter(({ verdict }) => verdict !== 'void');
  return { outcome, limit, trials: judged.map(({ size, verdict }) => ({ size, verdict })) };
}

function linesOf({ directory }: StoredRun): readonly string[] {
  return readFileSync(join(directory, 'trials.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function onNetwork() {
  return {
    asks: [...unrecordedCall, '--network', '40ms'],
    impossible: () => without('--network', 'linux.uml') ?? withoutNetworks(),
  };
}
