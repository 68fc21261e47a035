/**
 * Whether the tables in `docs/` are still what their benches print: `npm run bench:figures`, some minutes of two cores.
 * Takes the benches whose servers are seeded, and which print the same on every machine: their noise is none, so any
 * other number is a failure. What real media cost is measured anew by each bench for itself, on a machine that does
 * nothing else.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingRows } from './figures/missing-rows.js';

interface Figures {
  readonly bench: string;
  readonly args: readonly string[];
  readonly page: string;
}

const figures: readonly Figures[] = [
  { bench: 'search', args: [], page: 'docs/lab/search.md' },
  { bench: 'search-hostile', args: ['--workers', '2'], page: 'docs/lab/search.md' },
  { bench: 'search-sampled', args: ['--workers', '2'], page: 'docs/lab/search.md' },
  { bench: 'coverage', args: [], page: 'docs/lab/search.md' },
  { bench: 'early-stop', args: [], page: 'docs/lab/early-stop.md' },
  { bench: 'monitor-alarms', args: [], page: 'docs/lab/monitoring.md' },
];

const root = fileURLToPath(new URL('../..', import.meta.url));
const chosen = process.argv.slice(2);
let failed = false;
for (const { bench, args, page } of figures) {
  if (chosen.length > 0 && !chosen.includes(bench)) continue;
  const program = fileURLToPath(new URL(`${bench}.js`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: root });
  const { rows, missing } = missingRows(stdout, readFileSync(`${root}${page}`, 'utf8'));
  const isGood = status === 0 && rows > 0 && missing.length === 0;
  failed ||= !isGood;
  process.stdout.write(
    `${isGood ? 'ok  ' : 'FAIL'}  ${bench}: ${rows - missing.length} of ${rows} rows stand in ${page}\n`,
  );
  for (const row of missing) process.stdout.write(`        ${row}\n`);
  if (status !== 0) process.stdout.write(`        ended with ${status}: ${stderr.trim().slice(-500)}\n`);
}
process.exitCode = failed ? 1 : 0;
