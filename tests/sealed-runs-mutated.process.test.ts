import { expect, test } from '@playwright/test';
import { both, times } from './effort.js';
import { mutationOf } from './stored-mutations.js';
import { storedSimulation, withRunFolder } from './stored-runs.js';
import { type Telling, type Told, tellingsOf } from './told-of-runs.js';

/** `LOADLINE_SEAL_MUTATIONS=2000` is the form of `npm run fuzz`. */
const mutations = Number(process.env.LOADLINE_SEAL_MUTATIONS ?? times(10, 200));
/** Short windows: what is asked here is of files, not of media. */
const timing = { measureMs: 6000, settleMs: 3000, pacePerSecond: 50 };

type Met = 'refused' | 'without effect' | 'named' | 'another answer';

/** Refused by name, told as before, or told with what is missing and the same answer. */
function metWith(telling: Telling, before: Told, now: Told): Met {
  if (telling.refuses(now)) return 'refused';
  if (now.exitCode === before.exitCode && now.out === before.out) return 'without effect';
  const isWarned = now.stderr.includes('warning: ') || telling.name === 'runs';
  const isSame = now.exitCode === before.exitCode && telling.answer(now) === telling.answer(before);
  return isWarned && isSame ? 'named' : 'another answer';
}

test(
  `of ${mutations} runs with something edited, cut off, deleted or swapped, none gives another answer anywhere`,
  both,
  async () => {
    test.setTimeout(60_000 + 1500 * mutations);
    await withRunFolder(async (folder) => {
      const run = await storedSimulation(folder, { capacity: 3 }, { max: 8 }, timing);
      const other = await storedSimulation(folder, { capacity: 5, seed: 9 }, { max: 8 }, timing);
      const { tellings, close } = await tellingsOf(run, other, folder);
      const counts: Record<string, number> = {};
      const wrong: string[] = [];
      try {
        const before: Told[] = [];
        for (const telling of tellings) before.push(await telling.tell());
        expect(before.map(({ exitCode }) => exitCode)).toEqual(tellings.map(() => 0));
        for (let seed = 1; seed <= mutations; seed += 1) {
          const nth = seed % tellings.length;
          const telling = tellings[nth];
          const first = before[nth];
          if (!telling || !first) throw new Error('nothing was told');
          const mutation = await mutationOf(run, other, seed);
          const now = await telling.tell();
          await mutation.undo();
          const met = metWith(telling, first, now);
          counts[`${telling.name} ${met}`] = (counts[`${telling.name} ${met}`] ?? 0) + 1;
          if (met === 'another answer') wrong.push(`seed ${seed}: ${mutation.what}: ${telling.name}: ${now.stderr}`);
        }
      } finally {
        await close();
      }
      test.info().annotations.push({ type: 'counts', description: JSON.stringify(counts) });
      expect(wrong).toEqual([]);
    });
  },
);
