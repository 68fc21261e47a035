import { expect, test } from '@playwright/test';
import { holdBack } from '../system/starved-browsers.js';
import { workshopForHeldBack } from './held-back.js';

const times = 5;
const load = ['try', 'one-to-one', '--by', 'arrivals', '--media', 'none', '--size', '20'];
const windows = ['--hold', '1s', '--measure', '10s'];

test.describe('a generator that is held to a twentieth of a core', () => {
  const workshop = workshopForHeldBack();

  test(`makes its trials void, because it was late and the server was not, ${times} of ${times}`, async () => {
    test.setTimeout(90_000 * times);
    const seen: string[][] = [];
    for (let nth = 0; nth < times; nth += 1) {
      const running = workshop().start([...load, ...windows]);
      await running.inPhase('join', 2);
      // The server has been started by then, and is not held back.
      const held = await holdBack(running.pid, 0.05);
      try {
        const { records } = await (await running.ended).storedRun();
        const late = records.filter(({ index }) => index > 1);
        seen.push(late.flatMap(({ verdict }) => [verdict.kind, verdict.reasons[0]?.code ?? 'none']));
      } finally {
        await held.release();
      }
    }
    expect(seen).toHaveLength(times);
    expect(seen.every((words) => words.length > 0)).toBe(true);
    expect([...new Set(seen.flat())]).toEqual(['void', 'generator-late']);
  });
});
