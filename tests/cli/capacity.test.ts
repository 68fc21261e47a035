import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { labelledRun } from '../labelled-run.js';
import { runHere } from './run-here.js';

let folder = '';

let large = '';
let small = '';

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-capacity-'));
  large = await labelledRun(folder, { limit: 40, hour: 1, hostType: 'large', tags: ['v1'] });
  small = await labelledRun(folder, { limit: 9, hour: 2, tags: ['v1', 'nightly'] });
});

test.afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const pricesText = `currency: EUR
hosts:
  large: { perHour: 1.20 }
  small: { perHour: 0.30, spot: { perHour: 0.10, share: 50% } }
egress:
  - { upTo: 10TB, perGb: 0.09 }
  - { perGb: 0.05 }
`;

test('from stored runs to hosts, a price and every assumption, as text, JSON and a table for autoscaling', async () => {
  const prices = join(folder, 'prices.yaml');
  const curve = join(folder, 'day.csv');
  await writeFile(prices, pricesText);
  await writeFile(curve, 'time,calls\n00:00,500\n12:00,2000\n');
  const args = ['capacity', large, `small=${small}`, '--for', '2000 calls', '--headroom', '20%', '--spare', '1'];
  const more = [...args, '--prices', prices, '--curve', curve, '--growth', '5%', '--months', '3', '--relayed', '15%'];
  const json = await runHere([...more, '--format', 'json']);
  expect(json.exitCode, json.stderr).toBe(0);
  const document = JSON.parse(json.stdout);
  const choices = document.choices as { limit: { hostType: string; atLeast: number }; sure: { units: number } }[];
  const given = choices.map(({ limit, sure }) => [limit.hostType, limit.atLeast, sure.units]);
  expect(given).toEqual([
    ['large', 40, 32],
    ['small', 9, 7],
  ]);
  // A small host is 0.20 with half of them spot: 7 calls for that, where a large one carries 32 for 1.20. 286 and one
  // spare.
  expect(document.peak).toMatchObject({ units: [2000], hosts: 287 });
  expect(document.growth).toHaveLength(4);
  const text = await runHere(more);
  expect(text.stdout).toContain('2000 calls: ');
  expect(text.stdout).toContain('measured on the embedded server');
  expect(text.stdout).toContain('What was not measured and is taken for granted');
  const csv = await runHere([...more, '--format', 'csv']);
  expect(csv.stdout.split('\n').slice(0, 3)).toEqual([
    'time,one-to-one,hosts,hosts_at_least',
    expect.stringMatching(/^00:00,500,73,\d+$/),
    expect.stringMatching(/^12:00,2000,287,\d+$/),
  ]);
});

test('a host that is paid by the month costs that month, and is told from one that goes with the load of a day', async () => {
  const prices = join(folder, 'months.yaml');
  const args = ['capacity', large, '--for', '100 calls', '--prices', prices];
  const monthly = async (text: string) => {
    await writeFile(prices, `currency: EUR\nhosts:\n  large: ${text}\n`);
    const { stdout, stderr } = await runHere([...args, '--format', 'json']);
    expect(stderr).toBe('');
    const { cost, peak, assumptions } = JSON.parse(stdout);
    return { each: Number((cost.hosts / peak.hosts).toFixed(6)), said: JSON.stringify(assumptions) };
  };
  const month = await monthly('{ perMonth: 438 }');
  expect(month.each).toBe(438);
  expect(month.said).toContain('730 hours');
  expect(month.said).toContain('perMonth');
  expect(await monthly('{ perHour: 0.6 }')).toMatchObject({ each: 438, said: expect.not.stringContaining('perMonth') });
  expect((await monthly('{ perMonth: 438 }\nhoursPerMonth: 720')).each).toBe(438);
  await writeFile(prices, 'currency: EUR\nhosts:\n  large: { perMonth: 438, perHour: 0.6 }\n');
  expect((await runHere(args)).stderr).toContain('one of the two');
  await writeFile(prices, 'currency: EUR\nhosts:\n  large: { perMonth: 438 }\n');
  const curve = join(folder, 'day.csv');
  await writeFile(curve, '00:00,500\n12:00,2000\n');
  expect((await runHere([...args, '--curve', curve])).stderr).toContain('leave --curve out');
});

test('a load of the day counts for as long as it holds, in however many lines it is written', async () => {
  const run = await labelledRun(folder, { limit: 18, hour: 4, hostType: 'eighteen' });
  const [prices, curve] = [join(folder, 'one.yaml'), join(folder, 'wide.csv')];
  await writeFile(prices, 'currency: EUR\nhosts:\n  eighteen: { perHour: 1 }\n');
  const monthOf = async (...lines: readonly string[]) => {
    await writeFile(curve, `${lines.join('\n')}\n`);
    const args = ['capacity', run, '--for', '1800 calls', '--prices', prices, '--curve', curve, '--format', 'json'];
    const { cost, assumptions } = JSON.parse((await runHere(args)).stdout);
    return { hosts: cost.hosts, told: (assumptions as string[]).filter((text) => text.includes('of the next day')) };
  };
  const hourly = Array.from({ length: 24 }, (_, hour) => `${hour}:00,${hour === 8 ? 100 : 10}%`);
  // 100 hosts for an hour and 10 for 23.
  const right = { hosts: expect.closeTo(10_037.5, 6), told: [] };
  expect(await monthOf(...hourly)).toEqual(right);
  expect(await monthOf('00:00,10%', '08:00,100%', '09:00,10%')).toMatchObject({ hosts: right.hosts });
  // The last of it holds through the night, and that is told.
  expect(await monthOf('08:00,100%', '12:00,10%')).toEqual({
    hosts: expect.closeTo((730 * (4 * 100 + 20 * 10)) / 24, 6),
    told: ['The load of 12:00 holds for 20 h, until 08:00 of the next day.'],
  });
});

test('what cannot be computed is refused with what to do: a void run, another load, a host without a price, a curve for nothing', async () => {
  const refused = async (...args: readonly string[]) => {
    const { exitCode, stderr, stdout } = await runHere(['capacity', ...args]);
    expect([exitCode, stdout]).toEqual([2, '']);
    return stderr;
  };
  const cheap = join(folder, 'cheap.yaml');
  await writeFile(cheap, 'currency: EUR\nhosts:\n  lagre: { perHour: 1 }\n');
  expect(await refused(large, '--for', '10 calls', '--prices', cheap)).toContain('no price for "large"');
  await writeFile(cheap, 'currency: EUR\nhosts:\n  large: { perHour: -1 }\negress: [{ upTo: 1TB, perGb: 0.1 }]\n');
  const wrong = await refused(large, '--for', '10 calls', '--prices', cheap);
  expect(wrong).toContain('3:');
  expect(wrong).toContain('4:');
  expect(await refused(large, '--for', '10 viewers')).toContain('"viewers"');
  expect(await refused(large, '--for', '10 calls', '--format', 'csv')).toContain('no day was given');
  expect(await refused(large, '--for', '10 calls', '--region', 'eu=40%')).toContain('40.0 %');
  expect(await refused(large, '--for', '10 calls', '--spare', 'zone of 1')).toContain(
    "write for example --spare 'zone of 3'",
  );
  expect(await refused(large, '--for', '10 calls', '--headroom', '99%')).toContain('can carry one-to-one so');
  expect(await refused(large, '--for', '30 calls/h of 4m')).toContain('arrivals by chance');
  const strict = await labelledRun(folder, { limit: 40, hour: 3, jitterMsMax: 20 });
  expect(await refused(large, strict, '--for', '10 calls')).toContain('measured different loads');
  const panel = await labelledRun(folder, { limit: 40, hour: 5, panel: { presenters: 8, handsUp: 1 } });
  expect(await refused(large, panel, '--for', '10 calls')).toContain('who sends beside viewers');
});

test('a daily curve that cannot be one is refused by the line and what it has', async () => {
  const curve = join(folder, 'wrong.csv');
  const refused = async (text: string) => {
    await writeFile(curve, text);
    const { exitCode, stderr } = await runHere(['capacity', large, '--for', '10 calls', '--curve', curve]);
    expect(exitCode).toBe(2);
    return /^ +why +(.*)$/m.exec(stderr)?.[1];
  };
  expect([
    await refused(''),
    await refused('time,calls\n'),
    await refused('time,calls\n00:00,-5\n12:00,5\n'),
    await refused('12:00,5\n00:00,4\n'),
    await refused('00:00,5\n00:00,4\n'),
    await refused('00:00,5\n24:00,4\n'),
    await refused('early,5\nlate,4\n'),
    await refused('00:00,many\n'),
  ]).toEqual([
    'it has no line with a time and a load',
    'it has no line with a time and a load',
    'line 2: the load -5 is below 0',
    'line 2: 00:00 is not after 12:00, the time before it',
    'line 2: 00:00 is not after 00:00, the time before it',
    'line 2: "24:00" is no time of a day, from 00:00 to 23:59',
    'line 1: "early" is no time of a day, from 00:00 to 23:59',
    'line 1: "00:00,many" is no time and load, such as 08:00,420',
  ]);
});

test('arrivals by chance need to know how sessions come to hosts, and each wrong way to ask says which is right', async () => {
  const asked = (...more: readonly string[]) => runHere(['capacity', large, '--for', '3000 calls/h of 4m', ...more]);
  expect((await asked('--turned-away', '1%')).stderr).toContain('How do sessions come to hosts?');
  expect((await asked('--waiting', '1%', '--placement', 'hash')).stderr).toContain('leave --placement out');
  expect((await asked('--waiting', '1%', '--overloaded', '1%')).stderr).toContain('several answers to one question');
  const hashed = await asked('--turned-away', '1%', '--placement', 'hash');
  expect(hashed.exitCode, hashed.stderr).toBe(0);
  expect(hashed.stdout).toContain('How sessions come to hosts');
  expect(hashed.stdout).toMatch(/one-to-one +hash, as asked +7 +0\.\d+ % +7/);
});

test('what is for arrivals by chance is refused of a demand that is there at once, and what is no demand before that', async () => {
  const asked = (...more: readonly string[]) => runHere(['capacity', large, '--for', ...more]);
  const refused = async (...more: readonly string[]) => {
    const { exitCode, stdout, stderr } = await asked(...more);
    expect([exitCode, stdout], more.join(' ')).toEqual([2, '']);
    return stderr;
  };
  for (const flags of [
    ['--waiting', '1%'],
    ['--placement', 'hash'],
    ['--turned-away', '1%', '--placement', 'hash'],
  ])
    expect(await refused('5000 calls', ...flags)).toContain(
      `leave ${flags.filter((one) => one.startsWith('--')).join(' and ')} out`,
    );
  expect(await refused('5000 calls', '--turned-away', '1%')).not.toContain('How do sessions come to hosts?');
  expect(await refused('3000 calls an hour', '--waiting', '1%')).toContain('is no demand');
  const both = await asked('5000 calls', '--for', '3000 calls/h of 4m', '--waiting', '1%');
  expect(both.exitCode, both.stderr).toBe(0);
  expect(await refused('5000 calls', '--relay-link', '2gbit')).toContain('--relayed');
  expect(await refused('5000 calls', '--broadcasts', '5')).toContain('leave --broadcasts out');
});

test('the ledger lists runs of several folders by time, with tags and hosts, as text, CSV and a page', async () => {
  const listed = await runHere(['runs', folder, folder, '--format', 'csv']);
  const [head, ...rows] = listed.stdout.trimEnd().split('\n');
  expect(head).toContain('started,run,scenario,server,version,host,tags,unit,stable,unstable,outcome');
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(rows.filter((row) => row.includes(',large,v1,calls,40,41,found'))).toHaveLength(2);
  expect((await runHere(['runs', folder])).stdout).toMatch(/tags +host +trials/);
});

test('runs are checked against the last ones of a tag, with an exit code, Markdown and JUnit', async () => {
  const among = await mkdtemp(join(folder, 'tagged-'));
  let hour = 0;
  const runsOf = async (tag: string, limits: readonly number[], coresPerCall: number) => {
    const made: string[] = [];
    for (const limit of limits) {
      hour += 1;
      made.push(await labelledRun(among, { limit, hour, tags: [tag], coresPerCall: coresPerCall + limit / 1e5 }));
    }
    return made;
  };
  await runsOf('v1', [30, 31, 30, 32, 31], 0.05);
  const same = await runsOf('v2', [31, 30, 32, 30, 31], 0.05);
  const worse = await runsOf('v3', [31, 30, 31, 32, 30], 0.055);
  const fine = await runHere(['compare', ...same, '--baseline', 'v1', '--format', 'markdown']);
  expect([fine.exitCode, fine.stdout.split('\n')[0]]).toEqual([
    0,
    '**5 runs against 5 of v1: nothing is shown to be worse, if runs do not depend on each other.**',
  ]);
  expect(fine.stdout).toContain('All runs of v1 came before those checked');
  const bad = await runHere(['compare', ...worse, '--baseline', 'v1', '--format', 'junit']);
  expect(bad.exitCode).toBe(3);
  expect(bad.stdout).toContain(
    '<testcase classname="loadline.baseline.v1" name="server CPU of one more session" time="0.000"><failure',
  );
  const few = await runHere(['compare', worse[0] ?? '', '--baseline', 'v1']);
  expect([few.exitCode, few.stdout.includes('too little to say anything')]).toEqual([4, true]);
  const none = await runHere(['compare', ...worse, '--baseline', 'v9']);
  expect([none.exitCode, none.stderr.includes('no run there has that tag')]).toEqual([2, true]);
});

test('what a plan of pairs says to type works as it stands, with the tags that it says', async () => {
  const names = [[], ['--baseline', 'v1']];
  for (const [nth, baseline] of names.entries()) {
    const { stdout } = await runHere(['compare', '--plan', '2', ...baseline]);
    const text = stdout.replace(/\s+/g, ' ');
    const tags = [...text.matchAll(/--tag (\S+?),? /g)].map(([, tag = '']) => tag);
    const [, command = ''] = /Then: loadline (.*?) The /.exec(text) ?? [];
    const among = await mkdtemp(join(folder, 'planned-'));
    for (const [hour, tag] of tags.entries()) {
      const runs = join(among, 'runs');
      await mkdir(runs, { recursive: true });
      await labelledRun(runs, { limit: 30, hour: hour + 4 * nth, tags: [tag] });
    }
    const { exitCode, stderr } = await runHere(command.split(' '), { workingFolder: among });
    expect([exitCode, stderr], command).toEqual([4, '']);
  }
});

test('interleaved runs are compared pair by pair, in the order that --plan says', async () => {
  const plan = await runHere(['compare', '--plan', '7', '--baseline', 'v1', '--format', 'json']);
  const { first } = JSON.parse(plan.stdout) as { first: readonly string[] };
  const among = await mkdtemp(join(folder, 'paired-'));
  const after: string[] = [];
  let hour = 0;
  for (const release of first) {
    for (const tag of release === 'before' ? ['v1', 'v2'] : ['v2', 'v1']) {
      hour += 1;
      // The machine gets slower from run to run, more than the releases differ.
      const made = await labelledRun(among, {
        ...{ limit: 30 + (hour % 3), hour, tags: [tag] },
        coresPerCall: 0.05 + 0.001 * hour + (tag === 'v2' ? 0.01 : 0),
      });
      if (tag === 'v2') after.push(made);
    }
  }
  const { stdout, exitCode } = await runHere(['compare', ...after, '--baseline', 'v1']);
  expect(exitCode, stdout).toBe(3);
  expect(stdout).toContain('7 runs against 7 of v1: worse in server CPU of one more session.');
  expect(stdout.replace(/\s+/g, ' ')).toContain('Neighbours in time are compared, pair by pair.');
  expect((await runHere(['compare'])).stderr).toContain('No run is named');
  expect((await runHere(['compare', 'x', '--plan', '8'])).stderr).toContain('--plan reads no runs.');
});

test('a file of expectations is held against runs: met, not met, and not spoken of are told apart', async () => {
  const file = join(folder, 'capacity.yaml');
  const held = async (...lines: readonly string[]) => {
    await writeFile(file, `expect:\n${lines.map((line) => `  - ${line}\n`).join('')}`);
    return runHere(['compare', large, '--expect', file]);
  };
  expect((await held('one-to-one >= 40 calls on large')).exitCode).toBe(0);
  expect((await held('one-to-one >= 40 calls', 'one-to-one >= 41 calls on large')).exitCode).toBe(3);
  const other = await held('one-to-won >= 40 calls', 'one-to-one >= 40 rooms', 'group >= 6 rooms');
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain('error E_USAGE: What is expected cannot be compared with any run.');
  expect(other.stderr).toContain('"one-to-won >= 40 calls": there is no scenario "one-to-won"');
  expect(other.stderr).toContain('"one-to-one >= 40 rooms": one-to-one counts calls, not "rooms"');
  expect(other.stderr).toMatch(/do {6}write one-to-one\n +write calls\n/);
  const unknown = await held('one-to-one >= 40 calls on huge');
  expect([unknown.exitCode, unknown.stdout.includes('no run speaks of it')]).toEqual([4, true]);
  const wrong = await held('one-to-one more than 40');
  expect([wrong.exitCode, wrong.stderr.includes('2:5')]).toEqual([2, true]);
});
