/**
 * How often what is printed holds, where the truth is known: `npm run build && node dist/bench/coverage.js`, seeded.
 * Prints the table of docs/lab/search.md; words choose sections.
 */
import { ofFleets } from './coverage/of-fleets.js';
import { ofRuns } from './coverage/of-runs.js';
import { ofBackgrounds, ofPairs, ofSearches } from './coverage/of-searches.js';
import { ofTrials } from './coverage/of-trials.js';
import { type Covered, coveredText } from './coverage/statement.js';
import { tableText } from './search/table-text.js';

const sections: Readonly<Record<string, () => readonly Covered[]>> = {
  searches: () => ofSearches(40),
  confidence: () => ofSearches(20, 0.9),
  backgrounds: () => ofBackgrounds(60),
  pairs: () => ofPairs(60),
  trials: () => ofTrials(400),
  runs: () => ofRuns(300),
  fleets: () => ofFleets(100_000),
};

const wanted = process.argv.slice(2);
const rows = Object.entries(sections).flatMap(([name, covers]) =>
  wanted.length === 0 || wanted.includes(name) ? covers().map(coveredText) : [],
);
console.log(tableText(['statement', 'conditions', 'said', 'found', 'statements'], rows));
