import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readMonitorJournal } from '../../store/monitor/monitor-journal.js';
import { long } from '../effort.js';
import { soon } from '../soon.js';
import { runHere } from './run-here.js';
import { builtLoadline, startLoadline } from './run-loadline.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-monitor-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const out = () => join(folder, 'runs');
const file = () => join(folder, 'monitor.yaml');

function writePlan(capacity: number, size: string | number = 4, more = ''): void {
  const simulate = `one-to-one --capacity ${capacity} --measure 6s --seed 3`;
  const watch = `  - name: calls\n    cron: "0 0 1 1 *"\n    size: ${size}\n    simulate: ${simulate}\n`;
  writeFileSync(file(), `watches:\n${watch}${more}`);
}

const onceArgs = () => ['monitor', file(), '--once', '--out', out()];
/** It starts the tool again for each of its runs. */
const once = () => runHere(onceArgs(), { selfCommand: builtLoadline });

test(
  '--once runs each watch, exits 0 when all is well and 3 when a watch got worse, and alerts once',
  long,
  async () => {
    const alerts = `alerts:\n  command: "cat >> ${folder}/alerts.jsonl"\n`;
    writePlan(18, 4, alerts);
    expect((await once()).exitCode).toBe(0);
    expect(existsSync(join(folder, 'alerts.jsonl'))).toBe(false);
    writePlan(2, 4, alerts);
    const worse = await once();
    expect(worse.stderr).toBe('');
    expect(worse.stdout.match(/calls {2}unstable {2}4 calls/g)).toHaveLength(2);
    expect(worse.stdout).toContain('Looked worse, and is run again at once: ');
    expect(worse.exitCode).toBe(3);
    await once();
    writePlan(18, 4, alerts);
    expect((await once()).exitCode).toBe(0);
    const told = readFileSync(join(folder, 'alerts.jsonl'), 'utf8').trim().split('\n');
    expect(told.map((line) => JSON.parse(line).kind)).toEqual(['regressed', 'recovered']);
    expect(told[0]).toContain('Of the 1 run before, 1 was stable.');
  },
);

test('a run that its baseline ended asked the same as those before it, and is told beside them', async () => {
  writePlan(18);
  await once();
  const unlucky = 'one-to-one --capacity 1 --flaky-width 1000 --drift 50 --measure 6s --seed 9';
  writeFileSync(file(), `watches:\n  - { name: calls, cron: "0 0 1 1 *", size: 4, simulate: ${unlucky} }\n`);
  const { stdout, exitCode } = await once();
  expect(stdout).toContain('The baseline unstable, twice in a row.');
  expect(stdout).toContain('Of the 1 run before, 1 was stable.');
  expect(exitCode).toBe(3);
});

test('a limit below what the plan requires is worse, and --once exits 3', async () => {
  const simulate = 'one-to-one --capacity 1 --require 2 --measure 6s --seed 3';
  writeFileSync(
    file(),
    `watches:\n  - name: calls\n    cron: "0 0 1 1 *"\n    size: find\n    simulate: ${simulate}\n`,
  );
  const { exitCode, stdout } = await once();
  expect(stdout).toContain('The limit of 1 call is below what the plan requires');
  expect(exitCode).toBe(3);
});

test('each run of a monitor is an ordinary stored run, and a share of the limit is taken from the last search', async () => {
  writePlan(5, 'find');
  expect((await once()).stdout).toContain('limit 5 calls');
  writePlan(5, '80% of limit');
  expect((await once()).stdout).toContain('calls  stable    4 calls');
  const runs = readdirSync(out()).filter((name) => name !== 'monitor');
  expect(runs).toHaveLength(2);
  const judged = await runHere(['judge', join(out(), runs.sort()[1] ?? '')]);
  expect(judged.exitCode).toBe(0);
});

test('a share of a limit that nobody has found is a failed run with what to do, not a guess', async () => {
  writePlan(10, '80% of limit');
  const { stdout, exitCode } = await once();
  expect(exitCode).toBe(4);
  expect(stdout).toContain('E_USAGE: --size "80% of limit" needs a limit, and none is known of this plan.');
});

test('the report says how stable it was, as text, JSON and a page', async () => {
  writePlan(10);
  await once();
  await once();
  const page = join(folder, 'stability.html');
  const { stdout, exitCode } = await runHere(['monitor', 'report', '--out', out(), '--html', page]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('calls: 2 of 2 stable: at least 13.8 % at 95 %');
  expect(readFileSync(page, 'utf8')).toMatch(/href="runs\/2\d{3}-[^"]+-one-to-one-simulated"/);
  const json = await runHere(['monitor', 'report', '--out', out(), '--format', 'json']);
  expect(JSON.parse(json.stdout).watches[0]).toMatchObject({ watch: 'calls', stable: 2, answered: 2 });
});

test('every mistake in a monitor file is told at once, with its line, and nothing is started', async () => {
  writeFileSync(
    file(),
    'watches:\n  - name: "a b"\n    cron: "* * *"\n    size: some\n    plan: x.yaml\nzone: Moon\nkeeep: {}\n',
  );
  const { stderr, exitCode } = await once();
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_PLAN: monitor.yaml has 5 problems.');
  for (const at of [':2:11 ', ':3:11 ', ':4:11 ', ':6:7 ', ':7:1 ']) expect(stderr).toContain(`monitor.yaml${at}`);
  expect(existsSync(out())).toBe(false);
});

test('--test-alert tells everybody of a test, and runs no watch', async () => {
  const test = () => runHere(['monitor', file(), '--test-alert', '--out', out()]);
  writePlan(10, 4, `alerts:\n  command: "cat > ${folder}/alert.json"\n`);
  expect(await test()).toMatchObject({ exitCode: 0, stdout: 'told command\n' });
  const told = JSON.parse(readFileSync(join(folder, 'alert.json'), 'utf8'));
  expect(told).toMatchObject({ kind: 'test', watch: 'monitor.yaml' });
  const mail = 'mail: { server: "smtp://127.0.0.1:1", from: me@example.org, to: you@example.org }';
  writePlan(10, 4, `alerts:\n  ${mail}\n`);
  const refused = await test();
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toMatch(/could not tell mail: .*ECONNREFUSED.*\n +do +.*127\.0\.0\.1:1/);
  writePlan(10);
  expect((await test()).stderr).toContain('monitor.yaml names nobody to tell.');
  expect(existsSync(out())).toBe(false);
});

test('a secret that is not in the environment, or a plan file that is not there, is refused before anything starts', async () => {
  writePlan(10, 4, 'alerts:\n  webhook: $LOADLINE_TEST_HOOK\n');
  const noSecret = await once();
  expect(noSecret.exitCode).toBe(2);
  expect(noSecret.stderr).toContain('the environment variable LOADLINE_TEST_HOOK is not set');
  const mail = 'mail: { server: "smtps://me@mail.example.org", from: me@example.org, to: you@example.org }';
  writePlan(10, 4, `alerts:\n  ${mail}\n`);
  expect((await once()).stderr).toContain('the environment variable LOADLINE_SMTP_PASSWORD is not set');
  writeFileSync(file(), 'watches:\n  - { name: a, cron: "* * * * *", size: 4, plan: nowhere.yaml }\n');
  const noPlan = await once();
  const plan = join(folder, 'calls.yaml');
  writeFileSync(file(), 'watches:\n  - { name: a, cron: "* * * * *", size: 4, plan: calls.yaml }\n');
  for (const [lines, says] of [
    ['scenario: one-to-one\nmeasure: 60\n', 'calls.yaml:2:10'],
    ['scenario: one-to-one\nmesure: 60s\n', 'did you mean measure?'],
    ['scenario: one-to-one\ndata: 10/s\n', '--data does not go with recordings.'],
  ] as const) {
    writeFileSync(plan, lines);
    const faulty = await once();
    expect([faulty.exitCode, faulty.stderr]).toEqual([2, expect.stringContaining(says)]);
  }
  expect(existsSync(out())).toBe(false);
  expect(noPlan.exitCode).toBe(2);
  expect(noPlan.stderr).toContain('nowhere.yaml');
});

test('a monitor in the foreground ends with 0 on SIGTERM, and a second one in the same folder is refused', async () => {
  writePlan(10);
  const child = startLoadline(['monitor', file(), '--out', out()]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await soon(() => said, { timeout: 20_000 }).toContain('watching calls (0 0 1 1 *, 4, next ');
  const second = await once();
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toContain('error E_MONITOR_BUSY');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect((await readMonitorJournal(out())).map((entry) => ('text' in entry ? entry.text : ''))).toEqual([
    'the monitor started',
    'the monitor was stopped',
  ]);
});
