/**
 * How often `loadline compare --baseline` calls a release worse that is none: `npm run build && node
 * dist/bench/release-check.js`, seeded. Noise of 3 % in each of four marks, of which each run keeps a share of the one
 * before (AR(1)); in the last row every run needs 2 % more CPU than the one before. Prints the table of
 * docs/lab/capacity.md.
 */

import { checkRelease, type MarkedRun } from '../analysis/compare/release-check.js';
import { drawnOrder, type Release } from '../analysis/compare/run-order.js';
import { seededRandom } from '../model/seeded-random.js';

const rounds = 2000;
const random = seededRandom(1);

function noise(keeps: number): () => number {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let now = normal();
  return () => {
    now = keeps * now + Math.sqrt(1 - keeps ** 2) * normal();
    return 1 + 0.03 * now;
  };
}

function isCalledWorse(order: readonly Release[], keeps: number, drift: number): boolean {
  const [limit, cores, memory, firstFrame] = [noise(keeps), noise(keeps), noise(keeps), noise(keeps)];
  const runs = order.map(
    (release, nth): MarkedRun => ({
      release,
      marks: {
        limit: Math.round(60 * limit()),
        cores: 0.05 * cores() * (1 + drift * nth),
        memory: 2 * memory(),
        firstFrame: 400 * firstFrame(),
      },
    }),
  );
  return checkRelease(runs, 0.05).kind === 'worse';
}

const inBlocks: readonly Release[] = [...Array<Release>(5).fill('before'), ...Array<Release>(5).fill('after')];
const inPairs = (round: number) =>
  drawnOrder(8, round).flatMap((first): Release[] => (first === 'before' ? ['before', 'after'] : ['after', 'before']));

const share = (orderOf: (round: number) => readonly Release[], keeps: number, drift: number) => {
  const worse = Array.from({ length: rounds }, (_, round) => isCalledWorse(orderOf(round), keeps, drift));
  return `${((100 * worse.filter(Boolean).length) / rounds).toFixed(1)} %`;
};

process.stdout.write('| each run keeps | five, then five | eight drawn pairs |\n|---|---:|---:|\n');
for (const [keeps, drift] of [
  [0, 0],
  [0.3, 0],
  [0.6, 0],
  [0.8, 0],
  [0, 0.02],
] as const) {
  const name = drift > 0 ? 'nothing, and drifts' : `${keeps}`;
  process.stdout.write(`| ${name} | ${share(() => inBlocks, keeps, drift)} | ${share(inPairs, keeps, drift)} |\n`);
}
