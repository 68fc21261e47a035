import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { writeTable } from '../reliability-table.js';
import type { Fault } from './fault.js';
import { argsOf, faults } from './faults.js';
import { type EndedTool, openWorkshop, type Workshop } from './running-tool.js';

/** `npm run faults` takes all of them; CI those that no other test has. */
const all = process.env.LOADLINE_ALL_FAULTS === '1';
const rowsFolder = join('runs', 'fault-rows');

test.describe('whatever befalls a run, its record says so by name, nothing is left, and the next run works', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(async () => {
    unmount(workshop.out);
    await workshop.dispose();
  });

  for (const fault of faults.filter(({ long }) => all || long !== true)) {
    test(fault.name, async () => {
      const why = fault.impossible?.();
      test.skip(why !== undefined, why ?? '');
      await befall(fault, workshop);
    });
  }

  test('the table of the campaign', () => {
    tell();
  });
});

async function befall(fault: Fault, workshop: Workshop): Promise<void> {
  if (fault.name.startsWith('disk full')) smallDisk(workshop.out);
  const ended = await staged(fault, workshop);
  const record = await fault.said(ended, workshop);
  await expect.poll(() => workshop.processesLeft(), { timeout: 15_000 }).toEqual([]);
  unmount(workshop.out);
  // A killed run's folders are removed by the next start.
  const next = workshop.start([...argsOf(fault)]);
  await next.inPhase('settle');
  next.signal('SIGINT');
  expect((await next.ended).exitCode).toBe(130);
  expect(await workshop.processesLeft()).toEqual([]);
  expect(await workshop.filesLeft()).toEqual([]);
  mkdirSync(rowsFolder, { recursive: true });
  writeFileSync(
    join(rowsFolder, `${fault.name.replace(/\W+/g, '-')}.json`),
    JSON.stringify({ name: fault.name, record }),
  );
}

async function staged(fault: Fault, workshop: Workshop): Promise<EndedTool> {
  const stage = await fault.stage?.();
  try {
    const env = { ...fault.env?.(workshop), ...stage?.env };
    const tool = workshop.start([...argsOf(fault), ...(stage?.args ?? [])], env);
    await fault.inject(tool, workshop);
    await stage?.befall();
    return await tool.ended;
  } finally {
    await stage?.close();
  }
}

function smallDisk(path: string): void {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'loadline-fault', path]);
}

function unmount(path: string): void {
  try {
    execFileSync('umount', [path], { stdio: 'ignore' });
  } catch {
    // Nothing was mounted there.
  }
}

/** Rows of earlier calls count, so that the campaign can be run in parts. */
function tell(): void {
  const names = faults.map(({ name }) => name);
  const rows = new Map(
    filesIn(rowsFolder).map((file): [string, string] => {
      const { name, record } = JSON.parse(readFileSync(join(rowsFolder, file), 'utf8'));
      return [String(name), String(record)];
    }),
  );
  const survived = names.filter((name) => rows.has(name)).length;
  const lines = names.map((name) => `| ${name} | ${rows.has(name) ? 'yes' : 'not run'} | ${rows.get(name) ?? ''} |`);
  writeTable('faults', [
    '| fault | survived | what the record says |',
    '|---|---|---|',
    ...lines,
    '',
    `${survived} of ${names.length}.`,
  ]);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
