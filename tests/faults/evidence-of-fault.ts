import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { readCommandLines, readProcesses, treeOf } from '../../host/processes.js';
import type { TrialRecord } from '../../model/trial.js';
import { chooseMeans, tryHostMeans } from '../../server-setup/network/means.js';
import type { EndedTool, RunningTool } from '../system/running-tool.js';

/** In the middle of measuring, with some seconds measured: what is lost then would be missed. */
export async function midway(tool: RunningTool): Promise<void> {
  await tool.inPhase('measure');
  await sleep(4000);
}

export async function lastRecord(ended: EndedTool): Promise<TrialRecord> {
  const record = (await ended.storedRun()).records.at(-1);
  if (record === undefined) throw new Error(`nothing was stored: ${ended.stderr}`);
  return record;
}

/** What was measured before the fault is there, and a trial of the run has the reason. */
export async function reasonOf(ended: EndedTool, code: string): Promise<string> {
  const run = await ended.storedRun();
  const found = run.records.find(({ verdict }) => verdict.reasons.some((reason) => reason.code === code));
  expect(found, `${code} in ${JSON.stringify(run.records.map(({ verdict }) => verdict.reasons[0]))}`).toBeDefined();
  expect((await run.readSamples(found?.index ?? 1)).value.length).toBeGreaterThan(3);
  const text = found?.verdict.reasons.find((reason) => reason.code === code)?.text ?? '';
  return `${found?.verdict.kind}: ${text}`;
}

export async function eventsOf(directory: string): Promise<string> {
  return readFile(join(directory, 'events.jsonl'), 'utf8').catch(() => '');
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended with its parent.
  }
}

/** Why a part cannot be put to the test: this build has no such flag, or the host no such program. */
export function without(flag: string, program: string): string | undefined {
  const help = spawnSync(process.execPath, [built, 'help', 'try', '--all'], { encoding: 'utf8' }).stdout;
  if (!help.includes(`${flag} `)) return `this build has no ${flag}`;
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? undefined : `needs ${program}`;
}

/** Why networks cannot be impaired here. */
export async function withoutNetworks(): Promise<string | undefined> {
  const choice = chooseMeans(await tryHostMeans(process.env.PATH, release()));
  return choice.ok ? undefined : choice.why;
}

/**
 * Renderers below the tool. Their environment is overwritten by their title, so that they are found by their parents.
 */
export async function renderersOf({ pid }: RunningTool): Promise<readonly number[]> {
  const [processes, lines] = await Promise.all([readProcesses(), readCommandLines()]);
  const below = treeOf(processes, new Set([pid])).map((process) => process.pid);
  return below.filter((one) => lines.get(one)?.some((argument) => argument.includes('--type=renderer')));
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

const built = fileURLToPath(new URL('../../dist/loadline.js', import.meta.url));
