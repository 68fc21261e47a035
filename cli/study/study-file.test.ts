import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from '../../tests/cli/run-here.js';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-study-file-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

async function asked(...lines: readonly string[]) {
  const path = join(folder, 'study.yaml');
  await writeFile(path, `${lines.join('\n')}\n`);
  return runHere(['study', path, '--dry-run', '--out', folder]);
}

test('every problem of a study file is told at once, each with its place, and nothing is started', async () => {
  const { exitCode, stdout, stderr } = await asked(
    'scenarios: [one-to-one, waltz]',
    'rounds: many',
    'servers:',
    '  - name: "a b"',
    '  - name: b',
    '    mesure: 20s',
    '  - name: c',
    '    measure: soon',
    'find: love',
    'chance: 2',
  );
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  const places = [...stderr.matchAll(/study\.yaml:(\d+):\d+ {2}/g)].map(([, line]) => Number(line));
  expect(places).toEqual([1, 2, 4, 5, 8, 9, 10]);
  expect(stderr).not.toMatch(/Invalid|expected|Too (big|small)|undefined|received/);
});

test('what contradicts itself in a cell is told with the line of its server', async () => {
  const { exitCode, stderr } = await asked(
    'scenarios: [one-to-one]',
    'servers:',
    '  - name: here',
    '    egressLimit: 3mbit',
    '  - name: there',
    '    server: kurento://10.0.0.5:8888',
    '    egressLimit: 3mbit',
  );
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/study\.yaml:5:\d+ {2}there\+one-to-one: --egress-limit is for the embedded server only/);
  expect(stderr).not.toContain(' here+one-to-one');
});

test('a server that is started says when it is there, one that is not has no limits, and no key stands in two places', async () => {
  const { exitCode, stderr } = await asked(
    'scenarios: [one-to-one]',
    'settings:',
    '  - { name: short, measure: 20s }',
    'servers:',
    '  - { name: a, start: "exec server", server: "mediamtx://127.0.0.1" }',
    '  - { name: b, cores: 1 }',
    '  - { name: c, measure: 30s }',
    '  - { name: d, simulate: { capacity: 3 }, start: "exec server", ready: "127.0.0.1:1" }',
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('nothing says when it is there: add ready: HOST:PORT');
  expect(stderr).toContain('servers[1] (b) has cores without start');
  expect(stderr).toContain('servers[2] (c) has measure, and so has the setting short');
  expect(stderr).toContain('servers[3] (d) is simulated');
});

test('a dry run says the order of the runs, their time, and whether so many rounds can rank anybody', async () => {
  const { exitCode, stdout } = await asked(
    'scenarios: [one-to-one, broadcast]',
    'rounds: 3',
    'plan: { media: encoded, measure: 20s, max: 8 }',
    'servers:',
    '  - { name: a, egressLimit: 3mbit }',
    '  - { name: b, simulate: { capacity: 7 } }',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('study: 12 runs in 3 rounds');
  expect(stdout).toMatch(/round 3 [ab]\+(one-to-one|broadcast), [ab]\+/);
  expect(stdout).toMatch(/Its trials take \d+ to \d+ min\. 6 simulated runs take 18 s to 1 min 30 s/);
  expect(stdout).toContain('No difference, however large, shows in 3 rounds of 2 servers: 4 rounds can');
});

test('a dry run says how long runs likely take here, and what each of them would be refused for', async () => {
  const lines = [
    'scenarios: [one-to-one]',
    'plan: { max: 100000 }',
    'servers:',
    '  - { name: near, server: "janus://127.0.0.1:8188", start: "exec janus -F conf.d/here.cfg > out.log" }',
    '  - { name: keyless, server: "livekit://127.0.0.1:7880", start: "exec livekit-server --config=livekit.yaml --dev" }',
  ];
  const { exitCode, stdout } = await asked(...lines);
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(exitCode).toBe(0);
  const [, most, likely] = /take \d+ to (\d+) min, likely (\d+) min at most/.exec(text) ?? [];
  expect(Number(likely)).toBeLessThan(Number(most));
  expect(text).toContain('warning: keyless: For a LiveKit, LIVEKIT_API_KEY and LIVEKIT_API_SECRET must be set');
  expect(text).toContain('near: its start names conf.d/here.cfg, which is not there');
  expect(text).toContain('keyless: its start names livekit.yaml, which is not there');
  expect(text).not.toContain('out.log,');
  const started = await runHere(['study', join(folder, 'study.yaml'), '--out', folder]);
  expect([started.exitCode, started.stderr.includes('LIVEKIT_API_KEY')]).toEqual([2, true]);
});

test('a chance of 5% is 5 %, in words and for the rounds that are needed', async () => {
  const servers = ['servers:', '  - { name: a, egressLimit: 3mbit }', '  - { name: b, egressLimit: 4mbit }'];
  const { stdout, stderr } = await asked('scenarios: [one-to-one]', 'rounds: 2', 'chance: 5%', ...servers);
  expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain('4 rounds can show one, at a chance of error of 5 %');
});

test('a range is few settings, its ends among them, and each value must be one that the key takes', async () => {
  const servers = ['servers:', '  - { name: a, simulate: { capacity: 7 } }'];
  const over = (text: string, ...more: string[]) =>
    asked('scenarios: [sfu-group]', `over: ${text}`, ...more, ...servers);
  const { exitCode, stdout } = await over('{ roomSize: 2..10 }', 'rounds: 1');
  expect(exitCode).toBe(0);
  const settings = [...stdout.matchAll(/roomSize-(\d+)/g)].map(([, size]) => Number(size));
  expect(settings.sort((a, b) => a - b)).toEqual([2, 3, 6, 10]);
  const listed = await over('{ resolution: [320x180, 640x360] }', 'rounds: 1');
  expect(listed.stdout).toContain('resolution-320x180');
  const long = `https://app.example.org/${'a'.repeat(40)}`;
  const alike = await over(`{ url: ["${long}1", "${long}2"] }`, 'rounds: 1');
  const names = new Set([...alike.stdout.matchAll(/\burl-[\w.-]+/g)].map(String));
  expect(names.size, alike.stderr).toBe(2);
  for (const [wrong, why] of [
    ['{ roomSize: 1..3 }', 'has roomSize: 1, which roomSize does not take'],
    ['{ room: 2..3 }', 'has room, which is no key of plan files'],
    ['{ roomSize: 3..2 }', 'must be one key of plan files'],
    ['{ roomSize: 2..3, videoKbps: 100..200 }', 'must be one key of plan files'],
  ] as const)
    expect(await over(wrong)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  const both = await over('{ roomSize: 2..4 }', 'settings:', '  - { name: short, measure: 20s }');
  expect(both.stderr).toContain('has over and settings');
});

test('a study with a precision has up to eight rounds, says when it ends, and is refused more or fewer', async () => {
  const servers = [
    'scenarios: [one-to-one]',
    'servers:',
    '  - { name: a, simulate: {} }',
    '  - { name: b, simulate: {} }',
  ];
  const usual = await asked(...servers, 'precision: 10%');
  expect(usual.exitCode, usual.stderr).toBe(0);
  expect(usual.stdout).toContain('16 runs in 8 rounds');
  expect(usual.stdout).toContain('It ends after 5 rounds or more, once each limit is within 10 %.');
  for (const rounds of ['4', '9']) {
    const { exitCode, stderr } = await asked(...servers, 'precision: 10%', `rounds: ${rounds}`);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/study\.yaml:5:\d+ {2}has precision: of 2 servers it takes 5 to 8 rounds/);
  }
});
