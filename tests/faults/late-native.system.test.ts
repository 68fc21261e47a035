import { expect, test } from '@playwright/test';
import { holdBack } from '../system/starved-browsers.js';
import { workshopForHeldBack } from './held-back.js';

const times = 5;
const load = ['try', 'broadcast', '--size', '12', '--media', 'native'];
const windows = ['--measure', '10s', '--settle', '8s', '--no-warm-up'];

test.describe('native probes that are held to a hundredth of a core', () => {
  const workshop = workshopForHeldBack();

  test(`make their trials void, because their own samples were late or missing, and no server is blamed, ${times} of ${times}`, async () => {
    test.setTimeout(180_000 * times);
    const seen: string[] = [];
    for (let nth = 0; nth < times; nth += 1) {
      const running = workshop().start([...load, ...windows]);
      await running.inPhase('measure', 2);
      const workers = await running.pidsOf('native-worker');
      const held = await Promise.all(workers.map((pid) => holdBack(pid, 0.01)));
      // What comes after a void trial is a trial that nobody holds back, and the run ends.
      await running.inPhase('leave', 2).finally(() => Promise.all(held.map(({ release }) => release())));
      const { records } = await (await running.ended).storedRun();
      const { kind, reasons } = records.find(({ index }) => index === 2)?.verdict ?? {};
      seen.push(`${kind} ${reasons?.map(({ code }) => code).join(',')}`);
    }
    expect(seen).toHaveLength(times);
    // Held back so far, they do not even tell all their samples.
    for (const words of seen) expect(words, seen.join('; ')).toMatch(/^void .*(probe-late|samples-missing)/);
  });
});
