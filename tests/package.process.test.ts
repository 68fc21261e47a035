import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { long } from './effort.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const manifest = json('package.json') as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

let folder: string;
let packed: { readonly filename: string; readonly size: number; readonly files: readonly { readonly path: string }[] };
const installed = () => join(folder, 'lib/node_modules/loadline');

/**
 * Packs what is built, and lays it out as `npm install --global` does, with the packages that it names and no others.
 */
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-package-'));
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const told = JSON.parse(
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  packed = Object.values(told)[0] as typeof packed;
  mkdirSync(installed(), { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed()]);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const place = join(folder, 'lib/node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
  mkdirSync(join(folder, 'bin'));
  symlinkSync('../lib/node_modules/loadline/loadline', join(folder, 'bin/loadline'));
  mkdirSync(join(folder, 'home'));
  setWritable(join(folder, 'lib'), false);
});
test.afterAll(() => {
  setWritable(join(folder, 'lib'), true);
  rmSync(folder, { recursive: true, force: true });
});

function setWritable(path: string, writable: boolean): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) setWritable(join(path, entry.name), writable);
  }
  chmodSync(path, writable ? 0o755 : 0o555);
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As somebody who has nothing but Node: no other variable, an empty home. */
function run(...args: readonly string[]): Promise<Ended> {
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: join(folder, 'home') };
  return new Promise((resolve) => {
    execFile('loadline', args, { cwd: join(folder, 'home'), env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('the package is below 3 MB and holds what runs, pages and examples: no tests, no sources, no maps', () => {
  expect(packed.size).toBeLessThan(3_000_000);
  const paths = packed.files.map(({ path }) => path);
  const needed = ['loadline', 'LICENSE', 'README.md', 'dist/loadline.js', 'dist/licences.txt', 'set-up/launch.cjs'];
  expect(needed.filter((path) => !paths.includes(path))).toEqual([]);
  expect(paths.filter((path) => /\.(ts|map)$|\.test\.|(^|\/)\.env/.test(path))).toEqual([]);
  const rooms = new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
  expect([...rooms].sort()).toEqual(['dist', 'docker', 'docs', 'examples', 'recipes', 'set-up']);
});

test('what is installed with it comes from a registry, by its exact version, and runs no script of its own but two that are not needed', () => {
  const { packages } = json('package-lock.json') as {
    readonly packages: Readonly<
      Record<string, { dev?: boolean; devOptional?: boolean; resolved?: string; hasInstallScript?: boolean }>
    >;
  };
  const shipped = Object.entries(packages).filter(
    ([path, one]) => path !== '' && one.dev !== true && one.devOptional !== true,
  );
  expect(shipped.length).toBeGreaterThan(10);
  const odd = shipped.filter(
    ([, { resolved, hasInstallScript }]) => hasInstallScript || /^(git|file)/.test(resolved ?? ''),
  );
  // Each looks whether its program is there, which a package for the platform brings: without the script it works as
  // well.
  expect(odd.map(([path]) => path)).toEqual(['node_modules/esbuild', 'node_modules/koffi']);
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  expect(ranges.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('each package that is built in has its licence in dist/licences.txt', () => {
  const notices = readFileSync(join(installed(), 'dist/licences.txt'), 'utf8');
  for (const name of ['zod', 'uplot']) {
    const { version } = json(`node_modules/${name}/package.json`);
    expect(notices).toContain(`${name} ${version} (MIT)\n`);
  }
  expect(notices).toContain('Permission is hereby granted');
});

test(
  'the installed command runs from a folder that is read-only, with an empty home, and sets nothing up',
  long,
  async () => {
    const version = await run('--version');
    expect({ ...version, stdout: version.stdout.replace(/[0-9a-f]{16}/, 'DIGEST') }).toEqual({
      code: 0,
      stdout: `${manifest.version} (build DIGEST)\n`,
      stderr: '',
    });
    expect(readdirSync(join(folder, 'home'))).toEqual([]);
    const plan = await run('plan', 'one-to-one', '--max', '2');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('one-to-one: how many calls before any participant notices?');
    const simulated = await run('simulate', 'one-to-one', '--capacity', '3', '--open');
    expect(simulated.code).toBe(0);
    expect(simulated.stdout).toContain('simulated server holds 3 calls');
    // --open makes the report, of page code that lies beside the build.
    const [name = ''] = readdirSync(join(folder, 'home/runs'));
    expect(existsSync(join(folder, 'home/runs', name, 'report.html'))).toBe(true);
  },
);
