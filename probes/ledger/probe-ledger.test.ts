import { expect, test } from '@playwright/test';
import type { ProbeFailure } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { ProbeLedger } from './probe-ledger.js';

const ids = ['1a', '1b', '2a'];
const ledgerOf = () =>
  new ProbeLedger(
    ids.map((id) => aProbe(id).participant()),
    ids.map((_, page) => ({ browser: 0, page })),
    () => undefined,
  );
const fell = (probe: string): ProbeFailure => ({ probe, code: 'disconnected', atMs: 5, detail: 'gone' });

test('the record of a probe is the same one until something of it changes, and what was given out stays as it was', () => {
  const ledger = ledgerOf();
  ledger.up('1a', 1);
  const before = ledger.records();
  expect(ledger.records()[0]).toBe(before[0]);
  ledger.reached('1a', { answerMs: 4 });
  ledger.failed(fell('1a'));
  ledger.routed('1b', []);
  const after = ledger.records();
  expect(before.map(({ up, failures }) => [up, failures.length])).toEqual([
    [true, 0],
    [false, 0],
    [false, 0],
  ]);
  expect(after[0]).toMatchObject({ up: true, join: { answerMs: 4 }, failures: [{ code: 'disconnected' }] });
  expect(after[1]).toMatchObject({ routes: [] });
  expect(after[2]).toBe(before[2]);
});

test('all are settled when each is up or has failed, and one that fails after it was up counts once', async () => {
  const ledger = ledgerOf();
  const settled: string[] = [];
  const waiting = ledger.allSettled().then(() => settled.push('all'));
  ledger.up('1a', 1);
  ledger.up('1a', 2);
  ledger.failed(fell('1a'));
  ledger.failed(fell('1b'));
  ledger.failed(fell('1b'));
  ledger.up('1b', 3);
  await Promise.resolve();
  expect(settled).toEqual([]);
  ledger.up('2a', 4);
  await waiting;
  expect(ledger.unsettled()).toEqual([]);
});
