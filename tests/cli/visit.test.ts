import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { thisHost } from '../../cli/wiring/calibration-file.js';
import { writeVisitCalibration } from '../../cli/wiring/visit-calibration-file.js';
import { visitCalibrationFormat } from '../../model/calibration.js';
import type { LoadlineError } from '../../model/errors.js';
import { addressOf } from '../../probes/visit/address.js';
import { loadJoinScript } from '../../probes/visit/join-script.js';
import { withoutSecretsOf } from '../../probes/visit/page-diary.js';
import { readUsers } from '../../probes/visit/users-file.js';
import { checkedApp, hostOfApp } from '../../server-setup/web-app/app-address.js';
import { aVisit } from '../visit/a-visit.js';
import { fakeProcess } from './fake-process.js';
import { runHere } from './run-here.js';

const scriptOf = (name: string): string => fileURLToPath(new URL(`../../recipes/${name}`, import.meta.url));
const url = 'https://meet.example/{session}?name={participant}';

/** Words that standard error must have, by what was typed. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'find visit': ['E_USAGE', '--url'],
  'find visit --url meet.example/x': ['E_SERVER_URL', 'does not begin with https:// or http://'],
  'find visit --url ftp://meet.example/x': ['E_SERVER_URL', 'ftp:'],
  'find visit --url https://a:b@meet.example/x': ['E_SERVER_URL', 'login'],
  'find visit --url https://meet.example/{room}': ['E_SERVER_URL', '{room}', '{session}'],
  'find one-to-one --url https://meet.example/x': ['E_USAGE', '--url'],
  'find one-to-one --join x.mjs': ['E_USAGE', '--join', 'nothing is visited'],
  [`find visit --url ${url} --roles presenter`]: ['E_USAGE', '--roles', '1 presenter, 10 viewers'],
  [`find visit --url ${url} --roles 1_a,70_b`]: ['E_USAGE', '71 members'],
  [`find visit --url ${url} --expect video=3`]: ['E_USAGE', '--expect', 'video >= 3'],
  [`find visit --url ${url} --hosts nats://10.0.0.5:4222 --trace traces`]: ['E_USAGE', '--trace', '--hosts'],
  [`find visit --url ${url} --hosts nats://10.0.0.5:4222 --video films`]: ['E_USAGE', '--video', '--hosts'],
  [`find visit --url ${url} --library x.mjs --video films`]: ['E_USAGE', '--video', '--library'],
  'find one-to-one --video films': ['E_USAGE', '--video', 'nothing is visited'],
  [`find visit --url ${url} --by arrivals --users users.csv`]: ['E_USAGE', '--users', 'as many as come'],
  [`find visit --url ${url} --join x.mjs --library y.mjs`]: ['E_USAGE', '--join', '--library', 'together'],
  [`find visit --url ${url} --library /not-there/library.mjs`]: [
    'E_JOIN_SCRIPT',
    '--library',
    '/not-there/library.mjs',
  ],
  'host --bus nats://10.0.0.5:4222 --join x.mjs': ['E_USAGE', '--join', '--url'],
  [`host --bus nats://10.0.0.5:4222 --allow 10.0.0.0/8 --url ${url}`]: ['E_USAGE', '--allow', '--url'],
  [`host --bus nats://10.0.0.5:4222 --url ${url} --join /not-there/join.mjs`]: ['E_JOIN_SCRIPT', '/not-there/join.mjs'],
  [`find visit --url ${url} --media native`]: ['E_USAGE', '--media', 'web app'],
  [`find visit --url ${url} --media encoded --full-share 10%`]: ['E_USAGE', '--full-share', 'web app'],
  [`find visit --url ${url} --record`]: ['E_USAGE', 'record'],
  [`find visit --server kurento://x --url ${url}`]: ['E_USAGE', '--server', 'measure visit without --server'],
  [`find visit --url ${url} --server-pid me`]: ['E_USAGE', '--server-pid', 'port:8088'],
  'visit --url nowhere': ['E_SERVER_URL', 'nowhere'],
  'calibrate --url nowhere': ['E_SERVER_URL', 'nowhere'],
  'calibrate --room-size 3': ['E_USAGE', '--room-size', 'write for example --url'],
  [`calibrate --url ${url} --room-size 1`]: ['E_USAGE', '--room-size'],
  [`calibrate --url ${url} --hosts nats://10.0.0.5:4222`]: ['E_USAGE', '--hosts', 'beside the app'],
  'find one-to-one --threshold app.chat<=2s': ['E_USAGE', 'app.chat.p95 <= 2s', 'join script', '--join'],
  [`find visit --url ${url} --threshold app.chat<=2s`]: ['E_USAGE', 'join script', '--join'],
  'find one-to-one --painted': ['E_USAGE', '--painted', 'nothing is visited'],
  'find one-to-one --camera 320x180@15': ['E_USAGE', '--camera', 'nothing is visited'],
  [`find visit --url ${url} --camera 320x180`]: ['E_USAGE', '--camera', '320x180@15'],
  [`find visit --url ${url} --camera 321x180@15`]: ['E_USAGE', '--camera', 'even'],
  [`visit --url ${url} --camera 4000x180@15`]: ['E_USAGE', '--camera', '1920x1080@60'],
  [`calibrate --url ${url} --camera 640x360@0`]: ['E_USAGE', '--camera'],
  [`visit --url ${url} --members 0`]: ['E_USAGE', '--members'],
  [`visit --url ${url} --members 65`]: ['E_USAGE', '--members'],
  [`visit --url ${url} --role 1a`]: ['E_USAGE', '--role', 'begins with a letter'],
  ...Object.fromEntries(
    ['visit', 'find visit', 'try visit --size 1', 'plan visit', 'calibrate'].flatMap((command) => [
      [`${command} --url https://meet.example/x`, ['E_USAGE', '--url', '{session}', 'would be one']],
      [
        `${command} --url https://meet.example/x --join ${scriptOf('janus-echo.mjs')}`,
        ['E_USAGE', '--join', '{session}'],
      ],
      [`${command} --url ${url} --join /not-there/join.mjs`, ['E_JOIN_SCRIPT', '/not-there/join.mjs']],
    ]),
  ),
};

test('what cannot be visited is refused with one error, before anything starts', async () => {
  const problems: string[] = [];
  for (const [words, says] of Object.entries(refused)) {
    const { exitCode, stdout, stderr } = await runHere(words.split(' ').map((word) => word.replaceAll('_', ' ')));
    const lacking = says.filter((text) => !stderr.includes(text));
    if (exitCode !== 2 || stdout !== '' || lacking.length > 0) problems.push(`${words}: ${exitCode} ${stderr}`);
  }
  expect(problems).toEqual([]);
});

test('a join script is not run by what only looks at it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-join-test-'));
  try {
    const script = join(folder, 'join.mjs');
    await writeFile(script, 'while (true) {}\nexport default () => undefined;\n');
    const { exitCode, stderr } = await runHere(['plan', 'visit', '--url', url, '--join', script, '--max', '1']);
    expect(exitCode, stderr).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an address without {session} is taken where the join script reads session', async () => {
  const script = scriptOf('janus-video-room.mjs');
  const words = ['plan', 'visit', '--url', 'https://meet.example/videoroomtest.html', '--join', script, '--max', '1'];
  const { exitCode, stderr } = await runHere(words);
  expect(exitCode, stderr).toBe(0);
});

test('a plan of a visit says what is visited, and starts nothing', async () => {
  const words = ['plan', 'visit', '--url', url, '--room-size', '3', '--max', '2', '--format', 'json'];
  const { exitCode, stdout, stderr } = await runHere(words);
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { scenario: 'visit', roomSize: 3, server: { kind: 'web-app', url } },
  });
});

test('a plan of a visit reckons with what a page of that app was calibrated to cost, out of view or painted, and with no other one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-visit-test-'));
  try {
    const env = { XDG_STATE_HOME: folder };
    const page = { coresPerProbe: 0.4, mbPerProbe: 321, serverCores: 0, carries: 6, because: 'The CPU was full.' };
    const tool = fakeProcess({ env });
    const host = thisHost(tool);
    const measured = {
      format: visitCalibrationFormat,
      measuredAt: '2026-01-02T03:04:05.000Z',
      host,
      chromium: '141.0',
    } as const;
    await writeVisitCalibration(tool, { ...measured, url, members: 3, painted: false, camera: '640x360@30', page });
    const told = async (...words: readonly string[]): Promise<string> =>
      (await runHere(['plan', 'visit', '--url', url, '--max', '1', '--room-size', ...words], { env })).stdout;
    const [own, other] = [await told('3'), await told('4')];
    const [painted, small] = [await told('3', '--painted'), await told('3', '--camera', '320x180@15')];
    expect(own).toContain('this host carries about 6 pages of this app (calibrated)');
    expect(own).toMatch(/ 963 MiB of memory/);
    const encoded = await told('3', '--media', 'encoded');
    expect([other, painted, small, encoded].filter((text) => text.includes('calibrated)'))).toEqual([]);
    expect(painted).toContain('pages are painted all the time');
    expect(encoded).toContain('pictures are not decoded');
    expect(small).toContain('a camera of 320×180 at 15 fps');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the address of a visitor has what stands in its places, as part of an address', () => {
  const visitor = { session: 'a/b', participant: '1a', role: 'big boss', index: 3 };
  expect(addressOf('https://x/{session}?n={participant}&r={role}#{index}', visitor)).toBe(
    'https://x/a%2Fb?n=1a&r=big%20boss#3',
  );
  expect(hostOfApp(checkedApp('https://[::1]:8443/{session}'))).toBe('::1');
});

test('each way in which a join script cannot be loaded names the file, the line and what is wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-join-test-'));
  const scripts: Readonly<Record<string, string>> = {
    'syntax.mjs': 'const a = 1;\nexport default async ({ page }) => {{ ;\n',
    'throws.mjs': '\n\nthrow new Error("too early");\n',
    'none.mjs': 'export const join = () => undefined;\n',
    'imports.mjs': "import './not-there.mjs';\nexport default () => undefined;\n",
  };
  try {
    const told: Record<string, readonly unknown[]> = {};
    for (const [name, text] of Object.entries(scripts)) await writeFile(join(folder, name), text);
    for (const name of [...Object.keys(scripts), 'absent.mjs']) {
      const error: LoadlineError = await loadJoinScript(join(folder, name)).then(
        () => expect(name).toBe('refused'),
        (thrown) => thrown,
      );
      told[name] = [error.code, error.where?.replaceAll(`${folder}/`, ''), error.why ?? error.message];
    }
    expect(told).toEqual({
      'syntax.mjs': ['E_JOIN_SCRIPT', '--join syntax.mjs, syntax.mjs:3:1', 'Unexpected end of file'],
      'throws.mjs': ['E_JOIN_SCRIPT', '--join throws.mjs, throws.mjs:3', 'too early'],
      'none.mjs': ['E_JOIN_SCRIPT', '--join none.mjs', 'The join script has no default export that is a function.'],
      'imports.mjs': ['E_JOIN_SCRIPT', '--join imports.mjs, imports.mjs:1:8', 'Could not resolve "./not-there.mjs"'],
      'absent.mjs': ['E_JOIN_SCRIPT', '--join absent.mjs', expect.stringContaining('Could not resolve')],
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a join script may be TypeScript, with what it imports, and may say how to leave', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-join-test-'));
  try {
    await writeFile(
      join(folder, 'room.ts'),
      "export const room = (name: string): string => ['room', name].join(' ');\n",
    );
    const lines = [
      "import { room } from './room.js';",
      'export default async ({ session }: { session: string }): Promise<string> => room(session);',
      "export const leave = () => 'left';",
    ];
    const text = lines.join('\n');
    await writeFile(join(folder, 'join.ts'), text);
    const script = await loadJoinScript(join(folder, 'join.ts'));
    const visit = { ...aVisit(), session: 's', page: {} as never };
    expect([await script.join(visit, 1000), await script.leave?.(visit, 1000)]).toEqual(['room s', 'left']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a file of users is read by its columns, quoted or not, and refused by its line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-users-test-'));
  const path = join(folder, 'users.csv');
  try {
    const read = async (text: string): Promise<unknown> => {
      await writeFile(path, text);
      return readUsers(path).catch(({ code, where, why }: LoadlineError) =>
        `${code} ${where} ${why}`.replaceAll(path, 'F'),
      );
    };
    expect(await read('\uFEFFname,pass_word\r\nann,"a ""b"", c"\r\n\r\nbob,\r\n')).toEqual([
      { name: 'ann', pass_word: 'a "b", c' },
      { name: 'bob', pass_word: '' },
    ]);
    expect(await read('name\nann\n')).toEqual([{ name: 'ann' }]);
    expect(await read('name,name\na,b\n')).toContain('E_USAGE --users F, line 1');
    expect(await read('first name\na\n')).toContain('E_USAGE --users F, line 1');
    expect(await read('name\n')).toContain('no user stands below');
    expect(await read('name,email\na,b\nc\n')).toContain('E_USAGE --users F, user 2 it has 1 columns');
    expect(await read('name\na"b\n')).toContain('row 2 a quote stands within');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a trial that needs more users than there are is refused before anything starts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-users-test-'));
  const users = join(folder, 'users.csv');
  try {
    await writeFile(users, 'name\na\nb\nc\n');
    const script = scriptOf('behind-a-log-in.mjs');
    const asked = ['--url', url, '--join', script, '--users', users];
    const told = async (...words: readonly string[]) => {
      const { exitCode, stderr } = await runHere([...words, ...asked]);
      return `${exitCode} ${stderr}`;
    };
    const room = ['visit', '--room-size', '2'];
    expect(await told('find', ...room, '--max', '2')).toContain('--users has 3 users for 4 participants');
    expect(await told('try', ...room, '--size', '2')).toContain('2 error E_USAGE');
    expect(await told('visit', '--members', '4')).toContain('2 error E_USAGE');
    expect(await told('plan', ...room, '--max', '1')).toMatch(/^0 /);
    const { exitCode, stderr } = await runHere(['visit', '--url', url, '--users', users]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--users needs a join script')]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('what the environment holds under the name of a secret is in no text', () => {
  const clean = withoutSecretsOf({ APP_TOKEN: 'a+b/c=', HOME: '/home/me', SHORT_TOKEN: 'x' });
  expect(clean('a+b/c= at /home/me?x=1&t=a%2Bb%2Fc%3D')).toBe('*** at /home/me?x=1&t=***');
});
