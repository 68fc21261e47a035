import { checkRelease, type MarkedRun } from '../../analysis/compare/release-check.js';
import { drawnOrder, type Release } from '../../analysis/compare/run-order.js';
import { trendOf } from '../../analysis/monitor/robust.js';
import { shareText } from '../../analysis/monitor/stability.js';
import { ranksOf } from '../../analysis/study/ranks.js';
import { overRounds } from '../../analysis/study/rounds.js';
import { seededRandom } from '../../model/seeded-random.js';
import { noise } from '../search/noise.js';
import type { Covered } from './statement.js';

type Random = () => number;

const blocks: readonly Release[] = [...Array<Release>(5).fill('before'), ...Array<Release>(5).fill('after')];
const drawnPairs = (round: number) =>
  drawnOrder(8, round).flatMap((first): Release[] => (first === 'before' ? ['before', 'after'] : ['after', 'before']));

interface Compared {
  readonly conditions: string;
  readonly order: (round: number) => readonly Release[];
  readonly keeps: number;
  /** How much worse the later release is in all marks. */
  readonly worse: number;
}

/** "worse by at most", of all marks together; and where nothing changed, that nothing is called worse. */
function releases({ conditions, order, keeps, worse }: Compared, rounds: number): Covered[] {
  const random = seededRandom(1);
  let [within, quiet] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const [limit, cores, memory, firstFrame] = [0, 1, 2, 3].map(() => noise(keeps, random)) as [
      Random,
      Random,
      Random,
      Random,
    ];
    const runs = order(round).map((release): MarkedRun => {
      const by = release === 'after' ? 1 + worse : 1;
      const wobble = (next: Random) => Math.exp(0.03 * next());
      return {
        release,
        marks: {
          limit: (60 * wobble(limit)) / by,
          cores: 0.05 * by * wobble(cores),
          memory: 2 * by * wobble(memory),
          firstFrame: 400 * by * wobble(firstFrame),
        },
      };
    });
    const { marks, kind } = checkRelease(runs, 0.05);
    const truth = (mark: string) => 100 * (mark === 'limit' ? 1 - 1 / (1 + worse) : worse);
    if (marks.every(({ mark, worseByAtMostPercent: most }) => most === null || truth(mark) <= most + 1e-9)) within += 1;
    if (kind !== 'worse') quiet += 1;
  }
  const told = { conditions, said: '95 %', of: rounds };
  return [
    ...(worse === 0 ? [{ ...told, statement: '"nothing is shown to be worse", of four marks', held: quiet }] : []),
    { ...told, statement: '"worse by 3.1 % at most", of four marks', held: within },
  ];
}

/** Rounds whose noise is lopsided, so that mean and middle differ. */
function studies(rounds: number, servers: number, keeps: number, times: number): Covered[] {
  const random = seededRandom(2);
  let [inside, of, equal] = [0, 0, 0];
  let sure = 1;
  for (let time = 0; time < times; time += 1) {
    const tables = Array.from({ length: servers }, (_, nth) => {
      const next = noise(keeps, random);
      const values = Array.from({ length: rounds }, () => {
        const value = Math.round(60 * Math.exp(0.1 * next()));
        return { value, low: value, high: value };
      });
      return { server: String(nth), values, limit: overRounds(values) };
    });
    for (const { limit } of tables) {
      if (!limit) continue;
      sure = limit.sure;
      of += 1;
      if (limit.low <= 60 && 60 <= (limit.high ?? Number.POSITIVE_INFINITY)) inside += 1;
    }
    if (ranksOf(tables, 0.05).above.length === 0) equal += 1;
  }
  const conditions = `${rounds} rounds of ${servers} equal servers, ${keeps === 0 ? 'independent' : `each keeps ${keeps}`}`;
  return [
    {
      statement: '"an interval holds the middle of all such rounds"',
      conditions,
      said: `${((100 * Math.floor(100 * sure)) / 100).toFixed(0)} %`,
      held: inside,
      of,
    },
    { statement: '"at most 5 % of tables name a difference"', conditions, said: '95 %', held: equal, of: times },
  ];
}

/** "287 of 288 stable: at least 98.1 %", read after so many runs, or whenever it has become lowest. */
function shares(truth: number, keeps: number, worst: boolean, times: number): Covered {
  const runs = 96;
  const random = seededRandom(3);
  let held = 0;
  for (let time = 0; time < times; time += 1) {
    let [stable, isTrue, was] = [0, true, true];
    for (let run = 1; run <= runs; run += 1) {
      was = run > 1 && random() < keeps ? was : random() < truth;
      if (was) stable += 1;
      if (run < runs && !worst) continue;
      const bound = /(at least|at most) ([\d.]+) %/.exec(shareText(stable, run));
      const percent = Number(bound?.[2]);
      isTrue &&= bound?.[1] === 'at least' ? 100 * truth >= percent : 100 * truth <= percent;
    }
    if (isTrue) held += 1;
  }
  const how = keeps === 0 ? 'independent' : `each like the one before in ${100 * keeps} %`;
  const conditions = `truly ${100 * truth} %, ${how}; ${worst ? `at each of ${runs} runs` : `read after ${runs} runs`}`;
  return { statement: '`monitor`: "stable: at least 97.6 %"', conditions, said: '95 %', held, of: times };
}

function trends(runs: number, keeps: number, times: number): Covered {
  const random = seededRandom(4);
  let held = 0;
  for (let time = 0; time < times; time += 1) {
    const next = noise(keeps, random);
    if ((trendOf(Array.from({ length: runs }, next))?.chance ?? 1) > 0.01) held += 1;
  }
  return {
    statement: '`monitor`: "rises", "falls", "grows from run to run"',
    conditions: `${runs} runs without a trend, each keeps ${keeps}`,
    said: '99 %',
    held,
    of: times,
  };
}

export function ofRuns(times: number): Covered[] {
  return [
    ...releases(
      { conditions: 'eight drawn pairs, each run keeps 0.6', order: drawnPairs, keeps: 0.6, worse: 0 },
      8 * times,
    ),
    ...releases({ conditions: 'the same, truly 5 % worse', order: drawnPairs, keeps: 0.6, worse: 0.05 }, 2 * times),
    ...releases({ conditions: 'five, then five, independent', order: () => blocks, keeps: 0, worse: 0 }, 8 * times),
    ...releases({ conditions: 'the same, truly 5 % worse', order: () => blocks, keeps: 0, worse: 0.05 }, 2 * times),
    ...releases({ conditions: 'the same, each run keeps 0.6', order: () => blocks, keeps: 0.6, worse: 0 }, 2 * times),
    ...studies(5, 3, 0, times),
    ...studies(8, 2, 0, times),
    ...studies(8, 2, 0.6, times),
    shares(0.99, 0, false, times),
    shares(0.99, 0, true, times),
    shares(0.9, 0, true, times),
    shares(0.99, 0.8, true, times),
    ...[0, 0.6, 0.9].flatMap((keeps) => [trends(20, keeps, times), trends(100, keeps, times)]),
  ];
}
