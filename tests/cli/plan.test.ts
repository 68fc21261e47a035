import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-plan-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const loadline = (...args: readonly string[]) => runHere(args, { workingFolder: folder });

function planFile(...lines: readonly string[]): string {
  writeFileSync(join(folder, 'loadline.yaml'), `${lines.join('\n')}\n`);
  return 'loadline.yaml';
}

async function plannedJson(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await loadline('plan', ...args, '--format', 'json');
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test('a plan file says what flags say, to the letter', async () => {
  const file = planFile(
    '# how many calls does the new host hold?',
    'scenario: one-to-one',
    'server: kurento://10.0.0.5:8888',
    'from: 8',
    'max: 8',
    'measure: 30s',
    'pace: 4/s',
    'preset: strict',
    'thresholds:',
    '  - video.loss.mean <= 0.2%',
    '  - received.video.bitrate >= 300 kbit/s',
  );
  const flags = ['--server', 'kurento://10.0.0.5:8888', '--from', '8', '--max', '8', '--measure', '30s', '--pace', '4'];
  const limits = ['--preset', 'strict', '--threshold', 'video.loss.mean <= 0.2%'];
  const own = ['--threshold', 'received.video.bitrate >= 300 kbit/s'];
  const { room: _, ...fromFile } = await plannedJson(file);
  const { room: __, ...fromFlags } = await plannedJson('one-to-one', ...flags, ...limits, ...own);
  expect(fromFile).toEqual(fromFlags);
  expect(fromFile.plan).toMatchObject({ search: { from: 8, max: 8 }, timing: { measureMs: 30_000 } });
  expect(fromFile.plan.thresholds).toMatchObject({ videoLossPercentMax: 0.2, jitterMsMax: 20, also: [{ limit: 300 }] });
});

test('a search that bisects by sessions with media joins faster from trial to trial, all others and a pace that is asked for do not', async () => {
  const others = [
    ['--pace', '2/s'],
    ['--strategy', 'ramp'],
  ];
  const plans = await Promise.all([[], ...others].map((flags) => plannedJson('one-to-one', '--max', '8', ...flags)));
  const paces = plans.map(({ plan: { timing } }) => [timing.pacePerSecond, timing.autoPace]);
  expect(paces).toEqual([[2, true], ...others.map(() => [2, undefined])]);
});

test('flags override the plan file, and limits on the command line come after those of the file', async () => {
  const file = planFile('scenario: one-to-one', 'max: 8', 'measure: 30s', 'thresholds: ["rtt.mean <= 200ms"]');
  const { plan } = await plannedJson(file, '--max', '6', '--threshold', 'rtt.mean <= 100ms');
  expect(plan).toMatchObject({ search: { max: 6 }, timing: { measureMs: 30_000 }, thresholds: { rttMsMax: 100 } });
});

test('--plan names the file beside a scenario, which overrides that of the file', async () => {
  const file = planFile('scenario: one-to-one', 'max: 16');
  const { scenario, plan } = await plannedJson('broadcast', '--plan', file);
  expect({ scenario, max: plan.search.max }).toEqual({ scenario: 'broadcast', max: 16 });
});

test('a plan file may be JSON', async () => {
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ scenario: 'one-to-one', max: 7 }));
  expect((await plannedJson('plan.json')).plan.search.max).toBe(7);
});

test('all problems of a plan file are told at once, each with its line and column', async () => {
  const file = planFile(
    'scenario: one-to-two',
    'mesure: 30s',
    'max: -4',
    'settle: 40',
    'preset: twillio',
    'thresholds:',
    '  - video.loss.mean <= 1%',
    '  - video.los.mean <= 1%',
    '  - 7',
  );
  const { exitCode, stderr } = await loadline('find', file);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_PLAN: loadline.yaml has 7 problems.');
  expect(stderr).toContain('loadline.yaml:1:11  scenario must be one of one-to-one');
  expect(stderr).toContain('loadline.yaml:2:1  there is no key "mesure"; did you mean measure?');
  expect(stderr).toContain('loadline.yaml:3:6  max must be a whole number from 1 to 100000, not -4');
  expect(stderr).toContain('loadline.yaml:4:9  settle must be a duration with its unit: 500ms, 40s, 5m or 1h, not 40');
  expect(stderr).toContain('loadline.yaml:5:9  preset must be one of default, strict, lenient, twilio, teams');
  expect(stderr).toMatch(
    /loadline\.yaml:8:5 {2}thresholds\[1\]\n +video\.los\.mean <= 1%\n +\^\^\^ there is no measure "los"/,
  );
  expect(stderr).toContain('loadline.yaml:9:5  thresholds[2] must be an expression');
});

test('values that are wrong together are told beside those that are wrong alone, all at once', async () => {
  const file = planFile(
    'scenario: one-to-one',
    'from: 9',
    'max: 8',
    'settle: 40',
    'sizes: [4]',
    'budget: 20s',
    'measure: 30s',
    'server: kurento://10.0.0.5:8888',
    'egressLimit: 3mbit',
    'cpuLimit: lots',
    'require: 12',
    'fullShare: ten',
    'absoluteLimits: true',
  );
  const { exitCode, stderr } = await loadline('find', file);
  expect(exitCode).toBe(2);
  const told = [...stderr.matchAll(/loadline\.yaml:(\d+):\d+ {2}(.*)/g)].map(([, line, text]) => `${line} ${text}`);
  expect(told).toEqual([
    '2 --from 9 is above --max 8',
    '4 settle must be a duration with its unit: 500ms, 40s, 5m or 1h, not 40',
    '5 --sizes without --strategy fixed changes nothing',
    '6 --budget 20s has no room for one trial',
    '9 --egress-limit is for the embedded server only',
    '10 --cpu-limit is for the embedded server only',
    '11 --require 12 is above 8, the largest size that is tried',
    '12 fullShare must be a share: 10% or 0.1, not "ten"',
    '13 --absolute-limits without --network changes nothing',
  ]);
  expect(stderr).toContain('error E_PLAN: loadline.yaml has 9 problems.');
});

test('where a value cannot be used, nothing is said of the default that stands in for it', async () => {
  const { stderr } = await loadline('find', planFile('scenario: one-to-one', 'strategy: fixd', 'sizes: [4, 8]'));
  expect(stderr).toContain('loadline.yaml has a problem.');
  const other = await loadline('find', planFile('scenario: one-to-one', 'max: lots', 'from: 900', 'require: 900'));
  expect(other.stderr).toContain('loadline.yaml has a problem.');
});

test('flags that are wrong beside a plan file are told with it, and flags alone all at once, too', async () => {
  const { stderr } = await loadline('find', planFile('scenario: one-to-one', 'settle: 40'), '--pace', 'fast');
  expect(stderr).toContain('loadline.yaml has 2 problems.');
  expect(stderr).toContain('--pace must be participants per second, up to 1000/s, not "fast"');
  const alone = await loadline('find', 'one-to-one', '--pace', 'fast', '--from', '9', '--max', '8', '--turn', 'ftp');
  expect(alone.exitCode).toBe(2);
  for (const said of ['3 things', '--pace must be', '--from 9 is above --max 8', '--turn must be'])
    expect(alone.stderr).toContain(said);
});

/** Of each type that YAML has, and words in the grammar of other keys. */
const wrongValues = ['[]', '{a: 1}', '-1', '1.5', '"x"', '"50%%"', 'true', '"0s"', '[0]', '7000000', '""'];

test('whatever a key is given, what is said of it has no regular expression and no words of a program in it', async () => {
  const { properties } = JSON.parse((await loadline('plan', '--schema')).stdout) as { properties: object };
  for (const wrong of wrongValues) {
    const lines = Object.keys(properties).map((key) => `${key}: ${wrong}`);
    const { stderr } = await loadline('plan', planFile(...lines));
    expect(stderr).toMatch(/^error E_PLAN: loadline\.yaml has \d+ problems\./);
    expect(stderr).not.toMatch(/Invalid|expected|Too (big|small)|pattern|\/\^|\\d|undefined|received|NaN/);
  }
});

test('a mistake of YAML is told with its line', async () => {
  const { exitCode, stderr } = await loadline('find', planFile('scenario: one-to-one', 'max: [4', 'settle: 40s'));
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/loadline\.yaml:[23]:\d+ {2}/);
});

test('values that are right alone and wrong together are told with flag and line', async () => {
  const { exitCode, stderr } = await loadline('find', planFile('scenario: one-to-one', 'max: 8', 'from: 9'));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('error E_USAGE: --from 9 is above --max 8.');
  expect(stderr).toContain('loadline.yaml:3:7 (from)');
  expect(stderr).toContain('loadline.yaml:2:6 (max)');
});

test('the plan says trials, minutes, probes, browsers, memory and ports, and that nothing was started', async () => {
  const { stdout, exitCode } = await loadline('plan', 'one-to-one', '--max', '4', '--measure', '20s');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/ {2}cost {5}\d+ to \d+ trials, \d+ to \d+ minutes\n/);
  expect(stdout).toContain('with 4 calls: 8 probes on 2 pages in 1 browser,');
  expect(stdout).toMatch(/and 474 MiB of memory.*,\n +16 UDP ports/);
  expect(stdout).toMatch(/beside them about \d+ MiB of memory for this tool itself\n/);
  expect(stdout).toMatch(/up to about \d+ MB of samples on disk\n/);
  expect(stdout).toContain('Nothing was started. Run it with:  loadline find one-to-one --max 4 --measure 20s\n');
});

test('where the probes end a search, the time that it likely takes is told beside the longest', async () => {
  const { stdout } = await loadline('plan', 'one-to-one', '--max', '100000', '--format', 'json');
  const { minutes, likelyMinutes } = JSON.parse(stdout);
  expect(likelyMinutes).toBeGreaterThan(minutes.min);
  expect(likelyMinutes).toBeLessThan(minutes.max);
  const text = (await loadline('plan', 'one-to-one', '--max', '100000')).stdout;
  expect(text).toContain(`likely ${Math.ceil(likelyMinutes)} minutes at most`);
  expect((await loadline('plan', 'one-to-one', '--max', '1')).stdout).not.toContain('likely');
});

test('a size that is named and that the host cannot carry is refused with what is needed, what is there, and a size that fits', async () => {
  const { exitCode, stderr, stdout } = await loadline('find', 'one-to-one', '--max', '100000', '--from', '100000');
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('error E_HOST: This host cannot carry 100000 calls.');
  expect(stderr).toMatch(/memory: \d+ MiB are needed, \d+ are there/);
  expect(stderr).toMatch(/do {6}use --from \d+ or less, or /);
});

const tooMany = String(20 * cpus().length);
for (const [command, ...named] of [
  ['find', '--from', tooMany],
  ['find', '--strategy', 'fixed', '--sizes', `4,${tooMany}`],
  ['try', '--size', tooMany],
] as const) {
  test(`${command} refuses ${named.at(-2)} that would want more than twice the CPU, by an estimate that is called one`, async () => {
    const { exitCode, stderr, stdout } = await loadline(command, 'one-to-one', ...named);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`error E_HOST: This host cannot carry ${tooMany} calls.`);
    expect(stderr).toMatch(/CPU: about \d+ cores are needed, an estimate; \d+ are there/);
    expect(stderr).toContain(`use ${named.at(-2)} `);
    expect(stderr).toContain('or play encoded probes (--media encoded)');
    expect(readdirSync(folder)).toEqual([]);
  });
}

test('plan starts nothing, so it says what a size needs that this host cannot carry, and warns of the refusal', async () => {
  for (const [flag, by] of [
    ['--size', 'try'],
    ['--from', 'find'],
  ] as const) {
    const { exitCode, stdout, stderr } = await loadline('plan', 'one-to-one', flag, tooMany);
    expect(`${exitCode} ${stderr}`).toBe('0 ');
    expect(stdout).toContain(`warning: ${by} would refuse this here: This host cannot carry ${tooMany} calls.`);
    expect(stdout).toMatch(new RegExp(`do {2}use ${flag} \\d+ or less`));
    expect(stdout).toContain('calls would need ');
  }
  const { refused, likelyEnd } = await plannedJson('one-to-one', '--size', tooMany);
  expect(refused.text).toContain('cannot carry');
  expect(likelyEnd.size).toBeLessThan(Number(tooMany));
});

test('of native probes it is said how much of the CPU their browsers take', async () => {
  const { stdout } = await loadline('plan', 'webinar', '--presenters', '3', '--max', '2000', '--media', 'native');
  expect(stdout).toMatch(/with \d+ viewers? (\d+ of|all) \d+ are browsers, which take [\d.]+ cores\n/);
  expect((await loadline('plan', 'one-to-one', '--max', '4')).stdout).not.toContain('which take');
});

test('the largest size that a search may come to is never refused, given or not: it ends where the probes run out', async () => {
  const given = await loadline('plan', 'one-to-one', '--max', tooMany);
  expect(given.exitCode).toBe(0);
  expect(given.stdout).toContain('there the probes will likely be the limit, not the server;');
});

test('a size that is above the CPU by estimate is told with where the probes end it, by which figures, and what carries more', async () => {
  const { exitCode, stdout } = await loadline('plan', 'one-to-one', '--max', String(4 * cpus().length));
  expect(exitCode).toBe(0);
  expect(stdout).toContain('CPU, an estimate:');
  expect(stdout).toContain('0.2 of a core per full probe of a call, and 0.02 of the server');
  expect(stdout).toContain('there the probes will likely be the limit, not the server;');
  expect(stdout).toContain('--media encoded');
  const limited = await loadline('plan', 'one-to-one', '--max', String(4 * cpus().length), '--egress-limit', '3mbit');
  expect(limited.stdout).toMatch(
    /likely be the limit, if the up-link of the\n +server \(3 Mbit\/s\) is not full before/,
  );
});

test('a search without --max is not refused; where the probes will end it is said', async () => {
  const { exitCode, stdout } = await loadline('plan', 'one-to-one');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/\d calls? would need/);
});

test('the schema for editors in docs is the one that the code makes', async () => {
  const { stdout, exitCode } = await loadline('plan', '--schema');
  expect(exitCode).toBe(0);
  const committed = readFileSync(new URL('../../docs/loadline.schema.json', import.meta.url), 'utf8');
  expect(committed, 'run ./loadline plan --schema > docs/loadline.schema.json').toBe(stdout);
});

test('the plan of a room without pictures names none', async () => {
  const { stdout } = await runHere(['plan', 'audio-room', '--max', '1', '--media', 'encoded']);
  expect(stdout).toContain('media    speech, and no pictures');
  for (const word of ['video', 'frame', 'frozen', 'picture width'])
    expect(stdout.split('search')[0]).not.toContain(`${word} `);
  expect(stdout).not.toContain('640×360');
});

test('limits that the embedded server is given are shown, of its link and of its CPU', async () => {
  const { stdout } = await loadline(
    'plan',
    'one-to-one',
    '--max',
    '2',
    '--egress-limit',
    '3mbit',
    '--cpu-limit',
    '0.5',
  );
  expect(stdout).toContain('this machine, its up-link limited to 3 Mbit/s, its CPU limited to 0.5 cores');
});

test('a network is shown as what it comes to, each way', async () => {
  const { stdout } = await loadline('plan', 'one-to-one', '--network', '3g, 2% loss', '--max', '2');
  expect(stdout).toMatch(/network {2}3g, 2% loss\n +up 125 ms and 2 % loss and 750 kbit\/s\n +down 125 ms/);
});

test('every flag of find can stand in a plan file', async () => {
  const { stdout } = await loadline('find', '--help', '--all');
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?--(?:no-)?([a-z-]+)/gm)].map(([, name = '']) => name);
  const notInPlans = [
    'plan',
    'resume',
    'trust-run',
    'help',
    'threshold',
    'quiet',
    'verbose',
    'open',
    'summary',
    'junit',
  ];
  const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const schema = JSON.parse((await loadline('plan', '--schema')).stdout);
  const missing = flags.filter((flag) => !notInPlans.includes(flag) && !(camel(flag) in schema.properties));
  expect(missing).toEqual([]);
  expect(flags.length).toBeGreaterThan(50);
});

test('keys that a LiveKit lets nobody in without are asked for before anything starts', async () => {
  const asked = ['plan', 'sfu-group', '--server', 'livekit://127.0.0.1:7880', '--max', '2'];
  const { stdout, exitCode } = await loadline(...asked);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('For a LiveKit, LIVEKIT_API_KEY and LIVEKIT_API_SECRET must be set');
  expect((await loadline(...asked, '--livekit-token-command', 'true')).stdout).not.toContain('must be set');
});

test('where probes would not reach a server that is named by loopback, the plan says so beside the network', async () => {
  const at = async (host: string) =>
    (await loadline('plan', 'one-to-one', '--network', 'wifi', '--max', '2', '--server', `kurento://${host}`)).stdout;
  expect(await at('127.0.0.1')).toContain('warning: probes on a network do not reach loopback on this host');
  expect(await at('10.0.0.5')).not.toContain('loopback');
});

test('how many of native participants are browsers is said of the smallest size and of the largest', async () => {
  const asked = ['plan', 'sfu-group', '--media', 'native', '--server', 'janus://10.0.0.5', '--no-record'];
  const { stdout } = await loadline(...asked, '--max', '20');
  expect(stdout).toContain('with 1 room all 4 participants are browsers');
  expect(stdout).toContain('with 20 rooms 4 of 80 are browsers');
});

test('hosts that a run would start on this machine are said, and what they share', async () => {
  const { stdout } = await loadline('plan', 'one-to-one', '--max', '2', '--hosts', 'local:2');
  expect(stdout).toMatch(/hosts {4}2 hosts are started here by the run.*\n +they are processes of this machine/);
  const { localHosts } = await plannedJson('one-to-one', '--max', '2', '--hosts', 'local:2');
  expect(localHosts).toMatchObject({ count: 2, spread: 'even' });
});

test('with --size the trial of try is planned, also of a plan file with a search, and what is of searches is refused', async () => {
  const named = planFile('scenario: one-to-one', 'max: 64', 'confirm: 5');
  for (const words of [['one-to-one'], [named]]) {
    const { stdout, stderr } = await loadline('plan', ...words, '--size', '2');
    expect(stderr).toBe('');
    expect(stdout).toContain('are 2 calls stable?');
    expect(stdout).toMatch(/trials +1 call alone, then 2\n/);
    expect(stdout).toContain(`Run it with:  loadline try ${words[0]} --size 2`);
  }
  const { stderr } = await loadline('plan', 'one-to-one', '--size', '2', '--max', '8');
  expect(stderr).toContain('--max is of a search');
  expect((await loadline('plan', 'one-to-one', '--size', '2x')).stderr).toContain('--size must be');
});
