import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { long } from '../tests/effort.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Stands for esbuild: it counts how often it ran, and takes its time where two starts are to meet. */
const fakeBuild = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist, root } from './places.mjs';
import { sourcesDigest, stampName } from './sources.mjs';
await new Promise((done) => setTimeout(done, Number(process.env.BUILD_TAKES_MS ?? 0)));
appendFileSync(join(root, 'builds'), 'x');
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, 'loadline.js'), 'process.stdout.write("ran " + process.argv.slice(2).join(" ") + "\\\\n");');
writeFileSync(join(dist, stampName), sourcesDigest());
`;

/** Stands for npm: does what \`npm ci\` does to its record, or fails as npm does. */
const fakeNpm = `#!/bin/sh
echo x >> "$CHECKOUT/installs"
if [ -n "$NPM_FAILS" ]; then echo "npm error network is unreachable"; exit 1; fi
mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json
echo "added 1 package"
`;

let checkout: string;

test.beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'loadline-set-up-'));
  cpSync(join(root, 'set-up'), join(checkout, 'set-up'), { recursive: true });
  cpSync(join(root, 'loadline'), join(checkout, 'loadline'));
  mkdirSync(join(checkout, 'cli'));
  mkdirSync(join(checkout, 'bin'));
  writeFileSync(join(checkout, 'bin/npm'), fakeNpm);
  chmodSync(join(checkout, 'bin/npm'), 0o755);
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  writeFileSync(join(checkout, 'cli/main.ts'), 'source');
  writeFileSync(join(checkout, 'set-up/build.mjs'), fakeBuild);
  lockPackages('1.0.0');
});
test.afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function lockPackages(version: string): void {
  const packages = { '': {}, 'node_modules/one': { version, integrity: `sha512-${version}` } };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify({ packages }));
}

const timesRun = (name: 'builds' | 'installs') =>
  existsSync(join(checkout, name)) ? readFileSync(join(checkout, name), 'utf8').replaceAll('\n', '').length : 0;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(env: Readonly<Record<string, string>> = {}, command = join(checkout, 'loadline')): Promise<Ended> {
  const child = spawn(command, ['one', 'two words'], {
    env: { ...process.env, PATH: `${join(checkout, 'bin')}:${process.env.PATH}`, CHECKOUT: checkout, ...env },
  });
  return ended(child);
}

function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

const ran = { code: 0, stdout: 'ran one two words\n' };

test('the first start installs and builds, says so on stderr, and then runs with its arguments', async () => {
  const first = await start();
  expect(first).toMatchObject(ran);
  expect(first.stderr).toBe('set-up: installing npm packages\nset-up: building\n');
  expect(existsSync(join(checkout, '.set-up-lock'))).toBe(false);
});

test(
  'npm pack in a fresh clone installs and builds first, and an installed package, which has no sources, never does',
  long,
  async () => {
    const env = { ...process.env, PATH: `${join(checkout, 'bin')}:${process.env.PATH}`, CHECKOUT: checkout };
    const packed = await ended(spawn(process.execPath, [join(checkout, 'set-up/pack.mjs')], { env }));
    expect(packed).toMatchObject({ code: 0, stderr: 'set-up: installing npm packages\nset-up: building\n' });
    for (const name of ['cli', 'package-lock.json', 'node_modules'])
      rmSync(join(checkout, name), { recursive: true, force: true });
    expect(await start()).toEqual({ ...ran, stderr: '' });
    expect([timesRun('installs'), timesRun('builds')]).toEqual([1, 1]);
  },
);

test('a second start does no set-up and says nothing', long, async () => {
  await start();
  expect(await start()).toEqual({ ...ran, stderr: '' });
  expect([timesRun('installs'), timesRun('builds')]).toEqual([1, 1]);
});

test('a changed lock file is installed anew, a changed source is built anew', async () => {
  await start();
  lockPackages('1.0.1');
  expect((await start()).stderr).toContain('installing npm packages');
  writeFileSync(join(checkout, 'cli/main.ts'), 'changed');
  expect((await start()).stderr).toBe('set-up: building\n');
});

test('a source with another time but the same content is not built anew', long, async () => {
  await start();
  utimesSync(join(checkout, 'cli/main.ts'), new Date(), new Date());
  expect((await start()).stderr).toBe('');
});

test('two starts at once install and build once, and both run', async () => {
  const both = await Promise.all([start({ BUILD_TAKES_MS: '300' }), start({ BUILD_TAKES_MS: '300' })]);
  for (const one of both) expect(one).toMatchObject(ran);
  expect([timesRun('installs'), timesRun('builds')]).toEqual([1, 1]);
});

test('the lock of a set-up that was killed does not hold up the next', long, async () => {
  const dead = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
  mkdirSync(join(checkout, '.set-up-lock'));
  writeFileSync(join(checkout, '.set-up-lock/owner'), `${hostname()} ${dead}`);
  expect(await start()).toMatchObject(ran);
});

test('the lock of another host is taken over once nobody has refreshed it for half a minute', long, async () => {
  const lock = join(checkout, '.set-up-lock');
  mkdirSync(lock);
  writeFileSync(join(lock, 'owner'), 'another-host 1');
  const longAgo = new Date(Date.now() - 31_000);
  utimesSync(lock, longAgo, longAgo);
  expect(await start()).toMatchObject(ran);
});

test('a failing npm is quoted, then one sentence says what to do; exit 1 and nothing on stdout', async () => {
  const { code, stdout, stderr } = await start({ NPM_FAILS: '1' });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('npm error network is unreachable');
  expect(stderr.trimEnd().split('\n').at(-1)).toContain('run "npm ci" in');
  expect(existsSync(join(checkout, '.set-up-lock'))).toBe(false);
});

test('LOADLINE_NO_SETUP=1 installs and builds nothing and names what is missing', long, async () => {
  const { code, stderr } = await start({ LOADLINE_NO_SETUP: '1' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^loadline: the npm packages are missing .* run "npm ci" first\.\n$/);
  expect([timesRun('installs'), timesRun('builds')]).toEqual([0, 0]);
});

test('the launcher finds its checkout through symbolic links', async () => {
  const links = join(checkout, 'links');
  mkdirSync(links);
  symlinkSync('../loadline', join(links, 'first'));
  symlinkSync(join(links, 'first'), join(links, 'second'));
  expect(await start({}, join(links, 'second'))).toMatchObject(ran);
});

test('a Node that is too old is refused in one sentence that names the version that is needed', async () => {
  const script = `
    Object.defineProperty(process.versions, 'node', { value: '18.20.1' });
    require(${JSON.stringify(join(checkout, 'set-up/node-version.cjs'))}).requireNode();`;
  const { code, stderr } = await ended(spawn(process.execPath, ['-e', script]));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^loadline: this is Node 18\.20\.1; Loadline needs Node 20\.19 or newer: .*\n$/);
});

/** Stands for apt, whose lists have a Chromium and what is named in LISTED; what it is told to do is kept. */
const fakeApt = {
  'apt-get': '#!/bin/sh\necho "$*" >> "$CHECKOUT/apt"\n',
  'apt-cache': '#!/bin/sh\nif [ "$3" = "$LISTED" ]; then echo "Package: $3"; else exit 100; fi\n',
  sudo: '#!/bin/sh\nshift\nif [ "$1" = true ]; then exit 0; fi\nexec "$@"\n',
};

for (const [what, listed, installed, byHand] of [
  [
    'with a Chromium from apt comes its sandbox for ordinary users',
    'chromium-sandbox',
    ['chromium-headless-shell', 'chromium-sandbox'],
    'chromium-headless-shell chromium-sandbox',
  ],
  [
    'a sandbox that apt does not list is not asked for',
    'another',
    ['chromium-headless-shell'],
    'chromium-headless-shell',
  ],
] as const) {
  test(what, async () => {
    for (const [name, text] of Object.entries(fakeApt)) {
      writeFileSync(join(checkout, 'bin', name), text);
      chmodSync(join(checkout, 'bin', name), 0o755);
    }
    const script = `
      import { installCommand, installPackage } from ${JSON.stringify(join(checkout, 'set-up/system-packages.mjs'))};
      await installPackage();
      console.log(await installCommand());`;
    const env = { CHECKOUT: checkout, LISTED: listed, PATH: join(checkout, 'bin') };
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env });
    const { code, stdout } = await ended(child);
    expect(code).toBe(0);
    const told = readFileSync(join(checkout, 'apt'), 'utf8').trim().split('\n');
    expect(told).toEqual(installed.map((name) => `install -y --no-install-recommends ${name}`));
    // An Ubuntu has no Chromium that apt could bring.
    const isUbuntu = existsSync('/etc/os-release') && /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
    expect(stdout.trim()).toBe(isUbuntu ? 'undefined' : `sudo apt-get install ${byHand}`);
  });
}
