import { expect, test } from '@playwright/test';
import { arrivalsSentences } from '../../analysis/report/arrivals-section.js';
import { queuedTrial } from './queued-trial.js';

const fixed = (ms: number) => () => ms;

test('a storm waits in the queue that it makes, and is over when that is worked off', async () => {
  // Ten participants a second, 50 ms each: half of the server is free, so that 80 who come at once are worked off in
  // about 8 s.
  const { record } = await queuedTrial({
    size: 5,
    queue: { serviceMs: fixed(50) },
    measureMs: 30_000,
    joinMsMax: 60_000,
    arrivals: { storm: 40 },
  });
  const { storm, due, seconds } = record.arrivals ?? {};

  expect(due).toBe(2 * (5 * 30 + 40));
  expect(storm).toMatchObject({ due: 80, answered: 80, refused: 0, stalled: 0, failed: 0, usualMs: 100 });
  // The last of them waits for 80 × 50 ms, and for those of the even load who were there before.
  expect(storm?.allAnsweredMs).toBeGreaterThanOrEqual(4000);
  expect(storm?.allAnsweredMs).toBeLessThan(4200);
  expect(storm?.overMs).toBeGreaterThan(7000);
  expect(storm?.overMs).toBeLessThan(9000);
  expect(seconds?.[10]?.due).toBe(2 * (5 + 40));
  expect(record.verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'join-late' }] });
});

test('a storm whose queue grows no shorter within the window is not over, and that is a reason of its own', async () => {
  const { record } = await queuedTrial({
    size: 9,
    queue: { serviceMs: fixed(50) },
    measureMs: 9000,
    joinMsMax: 60_000,
    arrivals: { storm: 60 },
  });
  expect(record.verdict.reasons.map(({ code }) => code).sort()).toEqual(['join-late', 'storm-lasting']);
  expect(record.arrivals?.storm?.overMs).toBeUndefined();
});

test('a storm that the server sheds is told with how many it refused', async () => {
  const { record, plan } = await queuedTrial({
    size: 2,
    queue: { serviceMs: fixed(50), refusesBeyond: 20 },
    measureMs: 12_000,
    arrivals: { storm: 30 },
  });
  const { storm } = record.arrivals ?? {};
  expect([storm?.due, (storm?.answered ?? 0) + (storm?.refused ?? 0)]).toEqual([60, 60]);
  expect(storm?.refused).toBeGreaterThan(30);
  expect(storm?.overMs).toBeUndefined();
  const run = { records: [record], manifest: { plan, scenario: undefined } } as never;
  const sentence = arrivalsSentences(run, 2).find((text) => text.startsWith('The storm'));
  expect(sentence).toContain(`of 60 participants due at once ${storm?.answered} were answered`);
  expect(sentence).toContain(`${storm?.refused} refused`);
  expect(sentence).toContain('It was not over within the window.');
});

test('all who are there lose their connections at once, as many come back, and it is told when all of them are back', async () => {
  const { record, plan, opened, open } = await queuedTrial({
    size: 4,
    queue: { serviceMs: fixed(20) },
    measureMs: 30_000,
    arrivals: { reconnect: true, holdMs: 5000 },
  });
  const { storm, due, seconds, leftBadly } = record.arrivals ?? {};

  // Four a second for 5 s: 20 calls, of which one may be leaving or coming just then.
  expect(Math.abs((storm?.lost ?? 0) - 20)).toBeLessThanOrEqual(1);
  expect([due, leftBadly]).toEqual([2 * (4 * 30 + 20), 0]);
  const run = { records: [record], manifest: { plan } } as never;
  const sentence = arrivalsSentences(run, 4).find((text) => text.startsWith('The storm'));
  expect(sentence).toContain(`the connections of ${2 * (storm?.lost ?? 0)} participants who were there were lost`);
  expect(sentence).toContain('of 40 participants due at once 40 were answered');
  expect(storm).toMatchObject({ due: 40, answered: 40 });
  expect(storm?.allAnsweredMs).toBeGreaterThanOrEqual(800);
  expect(storm?.allAnsweredMs).toBeLessThan(1000);
  expect(storm?.overMs).toBeLessThan(2000);
  expect(seconds?.[10]?.due).toBe(2 * (4 + 20));
  expect(opened).toHaveLength(4 * 35 + 20);
  expect([...open]).toEqual([]);
});

test('without a storm there is none in the record', async () => {
  const { record } = await queuedTrial({ size: 2, queue: { serviceMs: fixed(5) }, measureMs: 3000 });
  expect(record.arrivals?.storm).toBeUndefined();
});
