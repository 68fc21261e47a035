import { expect, test } from '@playwright/test';
import { arrivalPoints } from '../../store/points/arrival-points.js';
import { queuedTrial } from './queued-trial.js';

test('who came is copied as a point for the trial and one for each second, of which none says what it does not know', async () => {
  const { record } = await queuedTrial({ size: 5, queue: { serviceMs: () => 15 }, measureMs: 4000 });
  const tags = { run: 'r', trial: '1' };
  const [trial, ...seconds] = arrivalPoints(tags, record);

  expect(trial).toMatchObject({ measurement: 'loadline_arrivals', tags, atMs: record.endedAtMs });
  expect(trial?.fields).toMatchObject({ size: 5, due: 40, begun: 40, answered: 40, refused: 0, answerMaxMs: 30 });
  expect(trial?.fields.answerMeanMs).toBeCloseTo(22.5, 6);
  // The server of this test counts no messages, and there was no storm.
  expect([trial?.fields.sentBytes, trial?.fields.stormDue]).toEqual([undefined, undefined]);
  expect(seconds.map(({ atMs }) => atMs - (record.window?.startMs ?? 0))).toEqual([0, 1000, 2000, 3000]);
  expect(seconds.map(({ fields }) => [fields.due, fields.within10Ms, fields.within20Ms, fields.within50Ms])).toEqual(
    Array.from({ length: 4 }, () => [10, 0, 5, 10]),
  );
  expect(arrivalPoints(tags, { ...record, arrivals: undefined } as never)).toEqual([]);
});
