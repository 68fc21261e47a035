import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { readMonitorFile } from '../cli/monitor/monitor-file.js';
import { runHere } from './cli/run-here.js';
import { long } from './effort.js';
import { commandLinesOf } from './pages.js';

const folder = fileURLToPath(new URL('../examples', import.meta.url));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const plans = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('monitor.yaml'));

let out: string;
test.beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'loadline-examples-'));
});
test.afterAll(() => rmSync(out, { recursive: true, force: true }));

test('there is an example for each use, and the page of them names every one', () => {
  const page = read('README.md');
  expect(plans.filter((name) => !name.startsWith('monitor/')).sort()).toEqual([
    'bad-networks.yaml',
    'ci-gate.yaml',
    'livekit-rooms.yaml',
    'rollout-sizing.yaml',
    'turn.yaml',
  ]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const unnamed = files.filter(({ name }) => !['README.md', 'calls.yaml'].includes(name) && !page.includes(name));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

for (const name of plans) {
  test(
    `examples/${name} is a plan: plan reads it, and simulate searches by it and says what it does without`,
    name === 'ci-gate.yaml' ? long : {},
    async () => {
      const env = { LOADLINE_TURN_SECRET: 'secret' };
      // What the gate asks for must be there; the others are quicker with less.
      const capacity = name === 'ci-gate.yaml' ? '22' : '2';
      const planned = await runHere(['plan', join(folder, name)], { env });
      expect(planned.stderr).not.toContain('error');
      expect(planned.stdout).toContain(parse(read(name)).scenario);
      expect(planned.exitCode).toBe(0);
      const simulated = await runHere([
        'simulate',
        join(folder, name),
        '--capacity',
        capacity,
        '--measure',
        '10s',
        '--out',
        out,
        '--quiet',
      ]);
      expect(simulated.exitCode).toBe(0);
      expect(simulated.stderr).toMatch(/^not simulated: .*server/);
      expect(simulated.stdout).toMatch(/^simulated server holds .*\(\d+ trials in .*\)\n/);
    },
  );
}

test('the example of the monitor is read, and both of its watches have a plan that is there', async () => {
  const { watches } = await readMonitorFile(join(folder, 'monitor/monitor.yaml'), {
    LOADLINE_WEBHOOK: 'https://a.b/c',
  });
  expect(watches.map(({ name }) => name)).toEqual(['calls', 'nightly-limit']);
});

test('the workflow is one to the parser of GitHub, with no fault', long, async () => {
  const content = read('ci/github-actions.yml');
  const faultsOf = await workflowFaults();
  expect(faultsOf(content)).toEqual([]);
  expect(faultsOf(content.replace('runs-on:', 'runs-at:'))).not.toEqual([]);
});

/** Bundled first: the parser imports its schema as JSON, which Node reads only where the import says so. */
async function workflowFaults(): Promise<(content: string) => readonly string[]> {
  const contents = `
    import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
    export const faultsOf = (content) =>
      parseWorkflow({ name: 'loadline.yml', content }, new NoOperationTraceWriter()).context.errors.getErrors().map(String);`;
  const outfile = join(out, 'workflow-parser.cjs');
  await build({ stdin: { contents, resolveDir: folder }, bundle: true, format: 'cjs', platform: 'node', outfile });
  return (await import(outfile)).faultsOf;
}

/** Keys of a job and of the file (docs.gitlab.com, "CI/CD YAML syntax reference"), as far as the example uses them. */
const jobKeys = [
  'stage',
  'image',
  'before_script',
  'artifacts',
  'extends',
  'rules',
  'timeout',
  'script',
  'tags',
  'allow_failure',
];

test('the GitLab file has stages, jobs that extend what is there, and no key that GitLab has not', () => {
  const { stages, variables, ...jobs } = parse(read('ci/gitlab-ci.yml')) as {
    readonly stages: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
  } & Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  expect(stages).toEqual(['test']);
  expect(Object.keys(variables)).toEqual(['PACKAGE', 'MEDIA_SERVER']);
  const odd = Object.entries(jobs).flatMap(([name, job]) => [
    ...Object.keys(job).filter((key) => !jobKeys.includes(key)),
    ...(job.extends === undefined || String(job.extends) in jobs ? [] : [`${name} extends ${String(job.extends)}`]),
  ]);
  expect(odd).toEqual([]);
});

test('every command line of the CI examples is read by the tool as it stands, up to the run itself', async () => {
  const scripts = ['ci/github-actions.yml', 'ci/gitlab-ci.yml'].flatMap((name) => linesIn(parse(read(name))));
  const commands = scripts.filter((line) => line.startsWith('loadline '));
  expect(commands).toHaveLength(4);
  const commit = '0a1b2c3d';
  const values: Readonly<Record<string, string>> = {
    MEDIA_SERVER: 'kurento://10.0.0.5:8888',
    GITHUB_SHA: commit,
    CI_COMMIT_SHORT_SHA: commit,
  };
  for (const command of commands) {
    const words = command
      .replace(/"?\$(\w+)"?/g, (_, name: string) => values[name] ?? join(out, name))
      .split(/\s+/)
      .slice(1);
    // A flag that comes to nothing is the last thing to be found fault with: everything else was read by then.
    const { exitCode, stderr } = await runHere([...words, '--pace', 'never'], { workingFolder: join(folder, '..') });
    expect({ exitCode, faults: stderr.match(/must be .*/g) }).toMatchObject({
      exitCode: 2,
      faults: [expect.stringContaining('"never"')],
    });
    expect(commandLinesOf(command)).toHaveLength(1);
  }
});

/** Every line of every string of a document. */
function linesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split('\n').map((line) => line.trim());
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linesIn) : [];
}
