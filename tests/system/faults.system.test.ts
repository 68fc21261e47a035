import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { PhaseName } from '../../model/trial.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const oneCall = ['try', 'one-to-one', '--size', '1', '--measure', '12s', '--settle', '15s'];

test.describe('whatever happens in mid-trial, the record says so and nothing is left', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(async () => {
    const [processes, files] = [await workshop.processesLeft(), await workshop.filesLeft()];
    await workshop.dispose();
    expect(processes).toEqual([]);
    expect(files).toEqual([]);
  });

  test('a killed Chromium makes the trial void, by the name of what died', async () => {
    const tool = workshop.start(oneCall);
    await tool.inPhase('measure');
    await sleep(2000);
    for (const pid of await tool.pidsOf('--user-data-dir')) kill(pid);
    const ended = await tool.ended;
    const trials = ended.result().trials;
    expect(trials.find((trial) => trial.verdict === 'void')?.reasons.map((reason) => reason.code)).toContain(
      'browser-crashed',
    );
    const run = await ended.storedRun();
    const killed = run.records.find((record) => record.verdict.kind === 'void');
    expect(killed?.probes.flatMap((probe) => probe.failures.map((failure) => failure.code))).toContain(
      'browser-crashed',
    );
    const samples = await run.readSamples(killed?.index ?? 1);
    expect(samples.value.length).toBeGreaterThan(0);
  });

  test('a killed media server makes the trial unstable, by that name, and keeps what was measured', async () => {
    const tool = workshop.start(oneCall);
    await tool.inPhase('measure');
    await sleep(3000);
    for (const pid of await tool.pidsOf(' serve ')) kill(pid);
    const ended = await tool.ended;
    const run = await ended.storedRun();
    expect(run.records[0]?.verdict.kind).toBe('unstable');
    expect(run.records[0]?.verdict.reasons.map((reason) => reason.code)).toContain('server-lost');
    expect(run.records[0]?.verdict.reasons[0]?.text).toMatch(/SIGKILL/);
    expect((await run.readSamples(1)).value.length).toBeGreaterThan(10);
    expect(ended.exitCode).not.toBe(0);
  });

  for (const phase of ['reset', 'warm-up', 'join', 'settle', 'measure', 'leave'] satisfies PhaseName[]) {
    test(`Ctrl-C in ${phase} ends with 130 and a run that can be read`, async () => {
      const tool = workshop.start([...oneCall, '--measure', phase === 'leave' ? '10s' : '12s']);
      await tool.inPhase(phase);
      if (phase === 'warm-up' || phase === 'settle' || phase === 'measure') await sleep(1500);
      tool.signal('SIGINT');
      const ended = await tool.ended;
      expect(ended.exitCode, ended.stderr).toBe(130);
      const run = await ended.storedRun();
      expect(run.manifest.plan.scenario).toBe('one-to-one');
      if (phase === 'measure') {
        expect(run.records[0]?.verdict.reasons[0]?.code).toBe('interrupted');
        expect((await run.readSamples(1)).value.length).toBeGreaterThan(0);
      }
    });
  }

  test('after kill -9 in mid-trial no process is left, and the next start removes what files are', async () => {
    const tool = workshop.start(oneCall);
    await tool.inPhase('settle');
    await sleep(1500);
    tool.signal('SIGKILL');
    const killed = await tool.ended;
    await expect.poll(() => workshop.processesLeft(), { timeout: 10_000 }).toEqual([]);
    expect((await killed.storedRun()).manifest.plan.scenario).toBe('one-to-one');
    const next = workshop.start([...oneCall, '--measure', '10s']);
    await next.inPhase('join');
    next.signal('SIGINT');
    expect((await next.ended).exitCode).toBe(130);
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended with its parent, which was killed before it.
  }
}
