import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { historyOf } from './history.js';

const stable = (): TrialRecord => {
  const [first] = runStory('found').records;
  if (!first) throw new Error('no story');
  return first;
};
const failedBy = (...reasons: Reason[]): TrialRecord => ({
  ...stable(),
  verdict: { kind: 'unstable', reasons, thresholds: [] },
});
const freeze: Reason = { code: 'frozen', text: 'It stood still.', probe: '1a', measured: 2.6, limit: 2, unit: '%' };

test('a failure by a single thing at one probe, near its limit, is faint; no other is', () => {
  const isFaint = (...reasons: Reason[]) => historyOf([failedBy(...reasons)])[0]?.faint === true;
  expect(isFaint(freeze)).toBe(true);
  expect(isFaint({ ...freeze, measured: 12 })).toBe(false);
  expect(isFaint(freeze, { ...freeze, probe: '1b' })).toBe(false);
  expect(isFaint({ code: 'join-failed', text: 'It was refused.', probe: '1a' })).toBe(false);
  expect(isFaint({ code: 'low-frame-rate', text: 'Slow.', probe: '1a', measured: 75, limit: 80 })).toBe(true);
});

test('a stable trial carries what it took of the server, and a trial in which the server went away says so', () => {
  const lost = { ...failedBy(freeze), end: { kind: 'server-lost', detail: 'gone' } } as const;
  expect(historyOf([stable(), lost])).toMatchObject([
    { verdict: 'stable', trial: 1, cost: { serverCores: 0.1, serverMemoryMb: 85 } },
    { verdict: 'unstable', lost: true },
  ]);
});

test('what a first frame cost is counted from when its sources had started, as it is judged', () => {
  const trial = stable();
  const joins = { dtlsConnectedMs: 300, firstFrameMs: 900, sourcesStartedMs: 500 };
  const probes = trial.probes.map((probe) => ({ ...probe, join: joins }));
  expect(historyOf([{ ...trial, probes }])[0]?.cost).toMatchObject({ firstFrameMs: 400 });
});

test('who noticed something is counted by participants and by sessions, and not where it is of no one or of an early end', () => {
  const noticed = (record: TrialRecord) => historyOf([record])[0]?.noticed;
  const of = stable().probesAsked;
  expect(noticed(stable())).toEqual({ by: 0, of, apart: 0 });
  const [one, other] = stable().probes.map(({ participant }) => participant.id);
  const both = failedBy({ ...freeze, probe: one ?? '' }, { ...freeze, probe: other ?? '' });
  const sessions = new Set(stable().probes.map(({ participant }) => participant.session)).size;
  expect(noticed(both)).toEqual({ by: 2, of, apart: sessions > 1 ? 1 : 2 });
  expect(noticed(failedBy({ code: 'server-error', text: 'It said so.' }))).toBeUndefined();
  expect(noticed({ ...both, endedEarly: { afterMs: 10_000, because: 'So.' } })).toBeUndefined();
});

test('why nobody was connected is told of a void trial too, with the probe side that was disturbed beside', () => {
  const { join: _, ...probe } = aProbe('1a').fails('ice-timeout', 'no ICE connection in 10.5 s').record();
  const unreached = { ...stable(), probes: [{ ...probe, join: {}, up: false }] };
  const failed = { ...unreached, verdict: { kind: 'unstable', reasons: [], thresholds: [] } } as const;
  const discarded = { ...unreached, verdict: { ...failed.verdict, kind: 'void', discardsFailure: true } } as const;
  const [first, second] = historyOf([failed, discarded]);
  expect(first?.unreached).toBeDefined();
  expect(second?.unreached).toBe(`${first?.unreached} The probe side was disturbed, too.`);
});
