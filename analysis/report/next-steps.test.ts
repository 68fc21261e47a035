import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { historyOf } from '../search/history.js';
import { singleSizeStep } from '../search/single-size.js';
import { markdown } from './markdown.js';
import { nextSteps } from './next-steps.js';
import { shortSummary } from './short-text.js';

/** A baseline on an impaired network, of a server that offers this address alone. */
function unreachedAt(address: string): TrialRecord {
  const probes = ['1a', '1b'].map((id) => aProbe(id).fails('ice-timeout', 'no ICE connection in 10.5 s'));
  const record = aRecord(probes, { index: 1, size: 1, window: null });
  const host = { type: 'host', protocol: 'udp', port: 40_000 } as const;
  return {
    ...record,
    probes: record.probes.map((probe) => ({
      ...probe,
      up: false,
      join: {},
      participant: { ...probe.participant, network: 'poor-3g' },
    })),
    tried: ['1a', '1b'].map((probe) => ({
      probe,
      leg: probe,
      ofServer: [{ ...host, address }],
      ofProbe: [{ ...host, address: '10.77.0.2' }],
    })),
  };
}

test('a try towards a server that offers loopback to probes on a network ends after one trial, and says what to do', () => {
  const records = [unreachedAt('127.0.0.1')];
  const { search } = aRun(records, { outcome: 'found', stable: 1 }).manifest.plan;
  const step = singleSizeStep(4, search, 1, historyOf(records));
  expect(step).toMatchObject({ kind: 'done', answer: { outcome: 'never-connected' } });
  expect(singleSizeStep(4, search, 1, historyOf([unreachedAt('203.0.113.9')]))).toMatchObject({ kind: 'try' });
  if (step.kind !== 'done') return;
  const run = aRun(records, step.answer);
  const todo = 'Have the server announce an address that the probes reach.';
  expect(nextSteps(run)).toEqual([{ text: todo }]);
  for (const text of [shortSummary(run), markdown(run)]) expect(text).toContain(todo);
});
