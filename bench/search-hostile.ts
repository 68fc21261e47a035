/**
 * What the search says of servers that are not tidy: unlucky, soft, odd, or getting worse. Prints the last table of
 * docs/bench-search.md. Run with `npm run build && node dist/bench/search-hostile.js`; takes some ten minutes of one core.
 */
import { hostileRows } from './search/hostile-server.js';
import { measureHostile } from './search/measure-hostile.js';
import { tableText } from './search/table-text.js';

const header = [
  '',
  'false headlines',
  'truly stable',
  'named drifting',
  'no sure answer',
  'trials, mean',
  'p95',
  'most',
];

const percent = (value: number) => `${value.toFixed(2)} %`;
/** Words that the names of rows begin with; none: all of them. */
const wanted = process.argv.slice(2);
const chosen = hostileRows.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
const rows = chosen.map((row) => {
  const quality = measureHostile(row, row.servers);
  return [
    row.name,
    percent(quality.falsePercent),
    percent(quality.trulyStablePercent),
    percent(quality.driftingPercent),
    percent(quality.unansweredPercent),
    quality.trials.toFixed(1),
    String(quality.trials95),
    String(quality.mostTrials),
  ];
});
console.log(tableText(header, rows));
