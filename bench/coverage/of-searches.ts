import { comparedRun } from '../../analysis/compare/compare.js';
import { separateFailures } from '../../analysis/judge/separate-failures.js';
import { anytimeLowerBound, anytimeUpperBound } from '../../analysis/statistics/binomial.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { seededRandom } from '../../model/seeded-random.js';
import { crowdRows } from '../search/crowd-server.js';
import { type HostileRow, hostileRows, wideRows } from '../search/hostile-server.js';
import { type Searched, search, searchOne } from '../search/measure-hostile.js';
import type { Covered } from './statement.js';

/** Trials do not depend on each other, and each size has one chance for as long as the search lasts. */
const independent = [...hostileRows, ...wideRows].filter(
  ({ name, drifts }) => !drifts && !/CPU read|spells|knee|hysteresis/.test(name),
);
const dependent = [...hostileRows, ...wideRows].filter(({ name }) => /spells|knee|hysteresis/.test(name));

/** What was said of one search: true, or not so. */
type Claims = (searched: Searched, confidence: number) => readonly boolean[];

const usualConfidence = 0.95;

/** Percent, as they are printed: rounded to what claims less. */
const least = (passes: number, of: number, confidence: number) =>
  Math.floor(100 * anytimeLowerBound(passes, of, confidence) + 1e-9) / 100;
const most = (passes: number, of: number, confidence: number) =>
  Math.ceil(100 * anytimeUpperBound(passes, of, confidence) - 1e-9) / 100;

const namesLimit = ({ answer }: Searched) => answer.outcome === 'found' || answer.outcome === 'reached-max';

const isNotDrifting: Claims = ({ answer }) => [answer.outcome !== 'drifting'];

/** Of servers on which more and more notice something: that they do so at a rate that stays is not said. */
const isNoBackground: Claims = ({ answer: { background } }) => [
  background === undefined || background.mayRise === true,
];

/** In trials that were measured to their end. */
function seenAt(history: readonly TrialOutcome[], size: number) {
  const judged = history.filter((one) => one.size === size && one.verdict !== 'void' && !one.screened);
  return { passes: judged.filter(({ verdict }) => verdict === 'stable').length, of: judged.length };
}

const limitHolds: Claims = (searched, confidence) => {
  const { server, history, answer } = searched;
  if (!namesLimit(searched)) return [];
  const { passes, of } = seenAt(history, answer.stable);
  return [server.truth(answer.stable, history.slice(0, -1)) >= least(passes, of, confidence)];
};

const aboveFails: Claims = (searched, confidence) => {
  const { server, history, answer } = searched;
  if (!namesLimit(searched) || answer.unstable === null) return [];
  const separate = separateFailures(history, answer.unstable);
  const isSaid = seenAt(history, answer.unstable).passes === 0 && separate > 1;
  return isSaid ? [server.truth(answer.unstable, history.slice(0, -1)) <= most(0, separate, confidence)] : [];
};

/** Of each size of the figure: both ends of its band. */
const bandHolds: Claims = ({ server, history, answer }, confidence) => {
  if (!answer.edge) return [];
  return [...new Set(history.map(({ size }) => size))].flatMap((size) => {
    const { passes, of } = seenAt(history, size);
    const truth = server.truth(size, history.slice(0, -1));
    return of === 0 ? [] : [truth >= least(passes, of, confidence) && truth <= most(passes, of, confidence)];
  });
};

interface Told {
  readonly statement: string;
  readonly claims: Claims;
}

const usual: readonly Told[] = [
  { statement: '"stable at least 25 % of the time", of the limit', claims: limitHolds },
  { statement: '"stable at most 87 % of the time", of the size above', claims: aboveFails },
  { statement: 'the band of the figure of a wide edge, each size', claims: bandHolds },
  { statement: '"got worse while it was searched"', claims: isNotDrifting },
];
const said: ReadonlyMap<Claims, string> = new Map([
  [bandHolds, '90 %'],
  [isNotDrifting, '—'],
]);
const confident: readonly Told[] = [{ statement: '"at least 80 % of the time", `--confidence`', claims: limitHolds }];

/** One search of each server, and all that is told of it. */
function covered(conditions: string, rows: readonly HostileRow[], servers: number, confidence?: number): Covered[] {
  const searched = rows.map((row) => ({
    where: row.name,
    all: Array.from({ length: servers }, (_, nth) =>
      searchOne(row, nth, confidence === undefined ? {} : { confidence }),
    ),
  }));
  return (confidence === undefined ? usual : confident).map(({ statement, claims }) => {
    const told = searched.map(({ where, all }) => ({
      where,
      claims: all.flatMap((one) => claims(one, confidence ?? usualConfidence)),
    }));
    const all = told.flatMap((one) => one.claims);
    const worst = told.reduce((low, one) => (shareOf(one.claims) < shareOf(low.claims) ? one : low));
    return {
      statement: confidence === undefined ? statement : `${statement} ${confidence}`,
      conditions,
      said: said.get(claims) ?? `${100 * (confidence ?? usualConfidence)} %`,
      held: all.filter(Boolean).length,
      of: all.length,
      least: { share: shareOf(worst.claims), where: worst.where },
    };
  });
}

const shareOf = (list: readonly boolean[]) => (list.length === 0 ? 1 : list.filter(Boolean).length / list.length);

/** Crowds in which a rate rises with the size, and nothing else limits the server. */
export function ofBackgrounds(servers: number): Covered[] {
  const rising = crowdRows.filter(({ name }) => name.startsWith('a rate that rises'));
  return rising.map((row) => {
    const told = Array.from({ length: servers }, (_, nth) =>
      isNoBackground(searchOne(row, nth), usualConfidence),
    ).flat();
    const held = told.filter(Boolean).length;
    return {
      statement: '"a rate that does not rise with the size is no limit"',
      conditions: `${row.name}, 1,000 to 4,000 calls`,
      said: '95 %',
      held,
      of: told.length,
    };
  });
}

/** One server searched twice: two of its limits lie so far apart that one is said to be the larger. */
export function ofPairs(servers: number): Covered[] {
  const rows = independent.map((row) => {
    const random = seededRandom(row.name.length);
    const told = Array.from({ length: servers }, () => {
      const server = row.draw(random);
      const two = [0, 1].map(() => search(searchSchema.parse({ max: 2048 }), server, random));
      const [one, other] = two.filter(namesLimit).map((searched) => comparedRun(asRun(searched)));
      if (!one || !other) return [];
      const [best, less] = one.atLeast > other.atLeast ? [one, other] : [other, one];
      return [less.below === null || best.atLeast < less.below];
    });
    return { where: row.name, claims: told.flat() };
  });
  const all = rows.flatMap((one) => one.claims);
  const worst = rows.reduce((low, one) => (shareOf(one.claims) < shareOf(low.claims) ? one : low));
  return [
    {
      statement: '`compare`: "holds 1.04 to 1.21 times as many, by one search each"',
      conditions: `one server searched twice, ${rows.length} kinds`,
      said: '—',
      held: all.filter(Boolean).length,
      of: all.length,
      least: { share: shareOf(worst.claims), where: worst.where },
    },
  ];
}

function asRun({ history, answer }: Searched): FinishedRun {
  const records = history.map(({ size, verdict, screened }) => ({
    size,
    verdict: { kind: verdict, reasons: [] },
    screened,
  }));
  const plan = { scenario: '', load: { by: 'sessions' }, search: searchSchema.parse({}) };
  return { answer, records, runDirectory: '', manifest: { plan, server: { name: '' } } } as unknown as FinishedRun;
}

export function ofSearches(servers: number, confidence?: number): Covered[] {
  return [
    ...covered(`trials are independent, ${independent.length} kinds of servers`, independent, servers, confidence),
    ...covered(`they hang on those before, ${dependent.length} kinds`, dependent, servers, confidence),
  ];
}
