import { expect, test } from '@playwright/test';
import { soon } from '../soon.js';
import { openWorkshop, type Workshop } from '../system/running-tool.js';
import { type Fault, type FaultCase, unrecordedCall } from './fault.js';
import { record } from './fault-table.js';
import { faults } from './rows.js';

/** `npm run faults` takes all of them; the suites those that are no `long` ones. */
const all = process.env.LOADLINE_ALL_FAULTS === '1';

test.describe('whatever befalls a run, its record says so by name, nothing is left, and the next run works', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  for (const fault of faults) {
    for (const one of fault.cases.filter(({ long }) => all || long !== true)) {
      test(one.name === '' ? fault.title : `${fault.title}: ${one.name}`, async () => {
        const why = await one.impossible?.();
        test.skip(why !== undefined, why ?? '');
        await befall(fault, one, workshop);
      });
    }
  }
});

async function befall(fault: Fault, one: FaultCase, workshop: Workshop): Promise<void> {
  record(fault, one.name, undefined);
  const said = await staged(one, workshop);
  await soon(() => workshop.processesLeft(), { timeout: 15_000 }).toEqual([]);
  if (one.leavesFiles !== true) expect(await workshop.filesLeft()).toEqual([]);
  // Cold or warm is all the same to it: it must come as far as media.
  const next = workshop.start([...unrecordedCall, '--no-warm-up']);
  await next.inPhase('settle');
  next.signal('SIGINT');
  expect((await next.ended).exitCode).toBe(130);
  expect(await workshop.processesLeft()).toEqual([]);
  expect(await workshop.filesLeft()).toEqual([]);
  record(fault, one.name, said);
}

async function staged(one: FaultCase, workshop: Workshop): Promise<string> {
  const stage = await one.stage?.(workshop);
  try {
    const tool = workshop.start([...(one.asks ?? unrecordedCall), ...(stage?.args ?? [])], stage?.env);
    await one.inject(tool, workshop);
    await stage?.befall?.();
    return await one.said(await tool.ended, workshop);
  } finally {
    await stage?.close();
  }
}
