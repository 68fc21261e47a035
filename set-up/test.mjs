/**
 * `npm test`: set-up, then the tests of the short suite: pure; process, with types and style beside them; page; system.
 * `npm run test:long`: the tests that the short one leaves out. Arguments go to Playwright:
 * `npm test -- --project=pure -g search`. The last line counts everything; a failed check counts as a failed test.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodeVersion from './node-version.cjs';
import { root } from './places.mjs';
import { ensureProgram } from './programs.mjs';
import { endWith } from './report.mjs';
import { bringAllUpToDate } from './set-up.mjs';
import { recordTimes, writesTimes, writeTimes } from './suite-times.mjs';

const projects = ['pure', 'process', 'page', 'system'];
const [suite, ...args] = process.argv.slice(2);
const reporter = join(root, 'set-up/count-reporter.mjs');
const bin = (name) => join(root, 'node_modules/.bin', name);
/** What was found before is kept: of types that nothing has touched since, nothing is looked at again. */
const typesOf = (name, project) => {
  const kept = join(root, `node_modules/.cache/types/${name}.tsbuildinfo`);
  return [bin('tsc'), '-p', project, '--noEmit', '--incremental', '--tsBuildInfoFile', kept];
};

const checks = [
  { name: 'types', command: typesOf('all', 'tsconfig.json') },
  { name: 'types of the page code', command: typesOf('probes-page', 'probes/page/tsconfig.json') },
  { name: "types of the report's page", command: typesOf('report-page', 'report/page/tsconfig.json') },
  { name: 'style', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
];

nodeVersion.requireNode();
await bringAllUpToDate().catch(endWith);
// From here on, because its packages are there now.
const { bundledTests } = await import('./bundle-tests.mjs');
// Where tests are run again as sources change (--ui), what was read at the beginning would be tested for ever.
const bundled = args.some((one) => /^--ui\b/.test(one)) ? {} : await bundledTests();
// Without them the tests of mixed rooms and of recordings are skipped, with this as their reason.
for (const name of ['gstreamer', 'ffmpeg']) await ensureProgram(name);

// Of some of a project's tests, the times would stand in its row as those of all.
const { named, rest } = splitArguments(args);
const keepsTimes = writesTimes() && rest.length === 0;
if (writesTimes() && !keepsTimes)
  console.error(`Times are kept of whole projects alone: not with "${rest.join(' ')}".`);
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const flaky = [];
const add = (counts) => {
  for (const key of Object.keys(total)) total[key] += counts[key];
  failures.push(...(counts.failures ?? []));
  flaky.push(...(counts.flaky ?? []));
};

// Types and style are the same in both suites. All at once, beside tests of processes, which often wait; the other
// tests measure.
const chosen = projects.filter((one) => named.length === 0 || named.includes(one));
const beside = chosen.includes('process') ? 'process' : chosen[0];
let checking = [];
for (const project of chosen) {
  if (suite === 'short' && project === beside) checking = checks.map(startCheck);
  if (project === 'page' || project === 'system') await tellChecks();
  add(await runProject(project));
}
await tellChecks();
if (keepsTimes) writeTimes();

if (suite === 'short' && args.length === 0)
  console.log('"npm run test:long" has more: slow tests, and those that try little here and much there.');
// Once more at the end: a project's own list stands far above what the next projects print.
for (const one of flaky) console.log(`flaky, passed when tried again: ${one}`);
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);

/** One project at a time: tests with real media would measure what runs beside them. */
async function runProject(project) {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-test-'));
  const file = join(folder, 'counts.json');
  try {
    const command = [
      bin('playwright'),
      'test',
      `--project=${project}`,
      '--pass-with-no-tests',
      `--reporter=${process.env.CI ? 'list' : 'line'},${reporter}`,
    ];
    const code = await run([...command, ...rest], { ...bundled, LOADLINE_SUITE: suite, LOADLINE_TEST_COUNTS: file });
    const { times, ...counts } = existsSync(file)
      ? JSON.parse(readFileSync(file, 'utf8'))
      : { passed: 0, failed: 0, skipped: 0 };
    if (keepsTimes && times) recordTimes(suite, project, times);
    if (code === 0 || counts.failed > 0) return counts;
    return { ...counts, failed: 1, failures: [`${project}: Playwright ended with code ${code}`] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What it prints comes when it is told, or it would stand among the names of tests. */
function startCheck({ name, command: [program, ...args] }) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ name, ok: false, text: `${error.message}\n` }));
    child.on('close', (code) => resolve({ name, ok: code === 0, text: Buffer.concat(printed).toString() }));
  });
}

async function tellChecks() {
  for (const { name, ok, text } of await Promise.all(checking.splice(0))) {
    process.stdout.write(text);
    console.log(`${ok ? 'ok' : 'FAILED'}: ${name}`);
    add(ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0, failures: [name] });
  }
}

function splitArguments(args) {
  const isProject = (one) => /^--project=/.test(one);
  const named = args.filter(isProject).flatMap((one) => one.slice('--project='.length).split(','));
  const unknown = named.find((one) => !projects.includes(one));
  if (unknown !== undefined) {
    console.error(`There is no test project "${unknown}"; there are: ${projects.join(', ')}.`);
    process.exit(2);
  }
  return { named, rest: args.filter((one) => !isProject(one)) };
}

function run([command, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
