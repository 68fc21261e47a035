import { expect, test } from '@playwright/test';
import { drillSentences } from '../analysis/report/cluster-sentences.js';
import { answerOfTrials } from '../analysis/search/answer-of-trials.js';
import { simulatedCluster } from '../cli/wiring/simulated-wiring.js';
import type { SimulatedServerPlan } from '../model/plan.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { tryOnce } from '../trial/find-limit.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';

/** Six calls on three servers, two on each; then the first of them is taken away. */
async function drilled(capacities: readonly number[]) {
  const cluster = { capacities: [...capacities], placement: 'round-robin' as const };
  const { parts, events } = aSimulatedRun({ cluster: simulatedCluster(cluster) });
  const server: SimulatedServerPlan = { kind: 'simulated', capacity: 1, cluster, seed: 7 };
  const timing = { pacePerSecond: 10, settleMs: 2000, measureMs: 30_000 };
  const plan = { ...aPlan({ max: 6 }, timing), server, drill: { kind: 'lose-host' as const } };
  const result = await tryOnce({ plan, scenario: oneToOne }, 6, parts, new AbortController().signal);
  const records = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  const manifest = events.flatMap((event) => (event.type === 'run-started' ? [event.manifest] : []))[0];
  const answer = events.flatMap((event) => (event.type === 'run-ended' ? [event.answer] : []))[0];
  if (!manifest || !answer) throw new Error('the run has not ended');
  const asked = { ...manifest, command: ['loadline', 'try', 'one-to-one'] };
  return { result, records, run: { manifest: asked, records, answer, runDirectory: '' } };
}

test('a server that is taken away: its participants come back on the others, who notice nothing where there is room', async () => {
  const { result, records, run } = await drilled([4, 4, 4]);
  const last = records.at(-1);
  expect(last?.drill).toMatchObject({ server: 'A', sessions: ['1', '4'], others: { probes: 8, verdict: 'stable' } });
  const back = last?.drill?.returned ?? [];
  expect(back.map(({ participant, server }) => [participant, server])).toEqual([
    ['1a', 'C'],
    ['1b', 'C'],
    ['4a', 'B'],
    ['4b', 'B'],
  ]);
  expect(back.every(({ noticedMs = -1, backMs = -1 }) => noticedMs >= 0 && backMs > 0)).toBe(true);
  // Its probes stay failed, and it moves no answer.
  expect(last?.probes.filter(({ failures }) => failures.length > 0).map(({ participant }) => participant.id)).toEqual(
    back.map(({ participant }) => participant),
  );
  expect(last?.verdict).toMatchObject({ kind: 'void', reasons: [{ code: 'environment' }] });
  expect(result).toMatchObject({ outcome: 'reached-max', limit: { stable: 6, unstable: null } });
  expect(answerOfTrials(run.manifest, records)).toMatchObject({ outcome: 'reached-max', stable: 6 });
  const told = drillSentences(run).join(' ');
  expect(told).toMatch(
    /^Drill at 6 calls: A was taken away 10\.0 s into the window, with 2 sessions on it\. 4 of their 4/,
  );
  expect(told).toContain('The 8 probes on other servers saw nothing beyond the limits');
});

test('where there is no room left, those on the other servers are seen to suffer', async () => {
  const { records, run } = await drilled([2, 2, 2]);
  expect(records.at(-1)?.drill).toMatchObject({ server: 'A', others: { probes: 8, verdict: 'unstable' } });
  expect(drillSentences(run).join(' ')).toContain('Of the 8 probes on other servers the window is unstable: ');
});
