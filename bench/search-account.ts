/**
 * Where the probe-minutes of searches go, by what trials are for and by phase. Prints the table of
 * docs/lab/search.md. Run with `npm run build && node dist/bench/search-account.js`; takes some seconds of one core.
 * `--servers N` searches so many of each row; words that the names of rows begin with choose rows.
 */
import { knowingSearchCosts } from './search/knowing-search.js';
import { newWay, plainWay, type SampledSearch, searchSampled, total } from './search/measure-sampled.js';
import { believedRamp } from './search/ramp-costs.js';
import { type SampledRow, sampledRows } from './search/sampled-server.js';
import { type Spent, trialKinds, trialPhases } from './search/spent.js';
import { tableText } from './search/table-text.js';

const planPace = 2;
const fasterPace = 16;

interface Account {
  readonly name: string;
  readonly searches: readonly SampledSearch[];
  /** Probe-seconds of ramps that believe each trial: of the one that all is told in multiples of, and of others. */
  readonly ramp: number;
  readonly settlingAsLong: number;
  readonly joiningFaster: number;
  /** Of a search that knows the limit. */
  readonly knowing: number;
}

function accountOf(row: SampledRow, servers: number): Account {
  const numbers = Array.from({ length: servers }, (_, number) => number);
  const ramps = (settleSeconds: number, pacePerSecond: number) =>
    total(numbers, (number) => believedRamp(row, number, { pacePerSecond, settleSeconds }));
  return {
    name: row.name,
    searches: numbers.map((number) => searchSampled(row, number, newWay)),
    ramp: ramps(plainWay.settleSeconds, planPace),
    settlingAsLong: ramps(newWay.settleSeconds, planPace),
    joiningFaster: ramps(newWay.settleSeconds, fasterPace),
    knowing: total(numbers, (number) => knowingSearchCosts(row, number)),
  };
}

/** "0.057": of the ramp's; "0.057 in 2.3": by so many trials in the mean. */
function cell(
  { searches, ramp }: Account,
  seconds: (spent: Spent) => number,
  trials?: (spent: Spent) => number,
): string {
  const share = (total(searches, ({ spent }) => seconds(spent)) / ramp).toFixed(3);
  return trials ? `${share} in ${(total(searches, ({ spent }) => trials(spent)) / searches.length).toFixed(1)}` : share;
}

function printTable(words: readonly string[]): void {
  const at = words.indexOf('--servers');
  const servers = at < 0 ? 400 : Number(words[at + 1]);
  const named = words.filter((word, index) => word !== '--servers' && words[index - 1] !== '--servers');
  const wanted = named.length === 0 ? ['linear', 'step', 'nothing', 'lies'] : named;
  const chosen = sampledRows.filter(({ name }) => wanted.some((word) => name.startsWith(word)));
  const accounts = chosen.map((row) => accountOf(row, servers));
  const rows = [
    ...trialKinds.map((kind) => [
      kind,
      ...accounts.map((one) =>
        cell(
          one,
          ({ kinds }) => kinds[kind],
          ({ trials }) => trials[kind],
        ),
      ),
    ]),
    ...trialPhases.map((phase) => [phase, ...accounts.map((one) => cell(one, ({ phases }) => phases[phase]))]),
    ['all', ...accounts.map(({ searches, ramp }) => (total(searches, (one) => one.probeSeconds) / ramp).toFixed(3))],
    ['a search that knows the limit', ...accounts.map(({ knowing, ramp }) => (knowing / ramp).toFixed(3))],
    ['the ramp, settling as long', ...accounts.map(({ settlingAsLong, ramp }) => (settlingAsLong / ramp).toFixed(3))],
    [`and joining at ${fasterPace}/s`, ...accounts.map(({ joiningFaster, ramp }) => (joiningFaster / ramp).toFixed(3))],
  ];
  console.log(tableText(['', ...accounts.map(({ name }) => name)], rows));
}

printTable(process.argv.slice(2));
