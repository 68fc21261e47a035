/**
 * How right the search is and what it costs, over seeded simulated servers. Prints the tables of docs/lab/search.md.
 * Run with `npm run build && node dist/bench/search.js`; takes some minutes of one core. Numbers choose sections, from
 * 1.
 */
import { type Contender, linearRamp, loadlineSearch, plainBisection } from './search/contenders.js';
import { measureSearch, type SearchQuality } from './search/measure-search.js';
import type { Population } from './search/simulated-server.js';
import { tableText } from './search/table-text.js';

const servers = 2000;
const everyServer: Population = { capacities: [1, 500], widestPercent: 10, evenChance: 'middle' };

const header = [
  '',
  'truly stable',
  'even chance inside',
  'one step apart',
  'trials, mean',
  'trials, p95',
  'load / capacity',
];

function row(name: string, quality: SearchQuality): string[] {
  const percent = (value: number) => `${value.toFixed(1)} %`;
  return [
    name,
    percent(quality.trulyStablePercent),
    percent(quality.evenChanceInsidePercent),
    percent(quality.oneStepApartPercent),
    quality.trials.toFixed(1),
    String(quality.trials95),
    quality.load.toFixed(1),
  ];
}

function table(rows: readonly (readonly string[])[]): string {
  return tableText(header, rows);
}

function compare(contenders: readonly Contender[]): string {
  const qualities = contenders.map((contender) => measureSearch(contender, servers, everyServer));
  const rows = contenders.map((contender, index) => row(contender.name, qualities[index] as SearchQuality));
  const [ours, plain, ramp] = qualities.map((quality) => quality.load) as [number, number, number];
  const ratios = `Probe-minutes: ${(ours / ramp).toFixed(2)} of the linear ramp's, ${(ours / plain).toFixed(2)} of plain bisection's.`;
  return `${table(rows)}\n\n${ratios}`;
}

const bands = [[1, 19] as const, [20, 39] as const, [40, 59] as const, [60, 100] as const, [101, 500] as const];

function byCapacity(population: Population): string {
  const rows = bands.map((capacities) => {
    const quality = measureSearch(loadlineSearch(undefined), servers, { ...population, capacities });
    return row(`${capacities[0]}–${capacities[1]}`, quality);
  });
  return table([row('1–500', measureSearch(loadlineSearch(undefined), servers, population)), ...rows]);
}

const sections: readonly (readonly [title: string, print: () => string])[] = [
  [
    'Against other ways to search',
    () => compare([loadlineSearch(undefined), plainBisection(undefined), linearRamp(undefined)]),
  ],
  ['To the size (`--within 1`)', () => compare([loadlineSearch(1), plainBisection(1), linearRamp(1)])],
  ['By capacity', () => byCapacity(everyServer)],
  ['Even chance anywhere between two sizes', () => byCapacity({ ...everyServer, evenChance: 'anywhere' })],
  ['Flaky zones up to 20 % wide', () => byCapacity({ ...everyServer, widestPercent: 20 })],
];
const wanted = process.argv.slice(2).map(Number);
const chosen = sections.filter((_, index) => wanted.length === 0 || wanted.includes(index + 1));
console.log(chosen.map(([title, print]) => `## ${title}\n\n${print()}`).join('\n\n'));
