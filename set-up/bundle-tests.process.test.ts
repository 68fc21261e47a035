import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = ['playwright', 'playwright-core', '@playwright', 'esbuild', '@esbuild'];

let checkout: string;

test.beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'loadline-bundle-tests-'));
  for (const path of ['set-up', 'tests/bare-test.ts', 'tests/pure-alone.ts', 'playwright.config.ts', 'tsconfig.json'])
    cpSync(join(root, path), join(checkout, path), {
      recursive: true,
      filter: (file) => !file.endsWith('.test.ts'),
    });
  for (const name of packages) {
    mkdirSync(join(checkout, 'node_modules'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(checkout, 'node_modules', name));
  }
  put('package.json', '{"type":"module"}');
  put('cli/number.ts', "import { one } from '../tests/one.mjs';\nexport const two = (): number => one + 1;\n");
  put('tests/one.mjs', 'export const one = 1;\n');
  put('cli/number.test.ts', testOf('toBe(2)'));
});
test.afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(join(checkout, path, '..'), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

const testOf = (claim: string) => `import { expect, test } from '@playwright/test';
import { two } from './number.js';

test('two', () => {
  expect(two()).${claim};
});
`;

const cache = () => join(checkout, 'node_modules/.cache/loadline-tests');
const bundles = () => readdirSync(cache()).sort();

/** The folder of the bundle, once it is made; or what was said where it was not. */
function bundled(): { readonly folder: string; readonly stderr: string } {
  const script = `
    const { bundledTests } = await import(${JSON.stringify(join(checkout, 'set-up/bundle-tests.mjs'))});
    console.log((await bundledTests()).PLAYWRIGHT_TRANSFORM_CACHE_DIR);`;
  const { stdout, stderr } = spawnSync(execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { folder: stdout.trim(), stderr };
}

/** What Playwright says of the tests, as \`npm test\` starts it. */
function ran(folder = bundled().folder): string {
  const { PLAYWRIGHT_TRANSFORM_CACHE_DIR: _, TEST_WORKER_INDEX: __, ...rest } = env;
  const command = [join(checkout, 'node_modules/playwright/cli.js'), 'test', '--project=pure', '--reporter=line'];
  const cached = { ...rest, NO_COLOR: '1', FORCE_COLOR: '0', PLAYWRIGHT_TRANSFORM_CACHE_DIR: folder };
  const { stdout, stderr } = spawnSync(execPath, command, { cwd: checkout, env: cached, encoding: 'utf8' });
  return stdout + stderr;
}

test('a change of a module, of TypeScript or not, or of a test is what is tested next, and so is taking it back', () => {
  const first = bundled().folder;
  const module = "import { one } from '../tests/one.mjs';\nexport const two = (): number => one + 1;\n";
  put('cli/number.ts', module.replace('+ 1', '+ 2'));
  expect(ran()).toContain('Received: 3');
  put('tests/one.mjs', 'export const one = 11;\n');
  put('cli/number.test.ts', testOf('toBe(13)'));
  expect(ran()).toContain('1 passed');
  put('cli/number.ts', module);
  put('tests/one.mjs', 'export const one = 1;\n');
  put('cli/number.test.ts', testOf('toBe(2)'));
  expect(bundled().folder).toBe(first);
});

test('a test that was changed after the bundle was made is run as it is now', () => {
  const { folder } = bundled();
  put('cli/number.test.ts', testOf('toBe(5)'));
  expect(ran(folder)).toContain('Expected: 5');
});

test('what fails is told by file and line of its source, in a module as in a test', () => {
  put(
    'cli/number.ts',
    `
interface Left { readonly out: string }

// What has no place in the bundle moves every line below it.
export const two = (): number => {
  throw new Error('no number');
};
`,
  );
  const said = ran();
  expect(said).toContain('Error: no number');
  expect(said).toMatch(/\(?[^ ]*cli\/number\.ts:6:\d+/);
  expect(said).toMatch(/cli\/number\.test\.ts:5:\d+/);
  expect(said).not.toContain('imported.mjs');
});

test('a module that no change would be noticed of ends the making', () => {
  put('elsewhere/three.ts', 'export const three = 3;\n');
  put('cli/number.ts', "export { three as two } from '../elsewhere/three.js';\n");
  const { folder, stderr } = bundled();
  expect(folder).toBe('');
  expect(stderr).toContain('elsewhere/three.ts is imported, but no change of it would make a new bundle');
});

test('an old bundle goes when a new one is made, unless somebody still uses it', () => {
  const { folder } = bundled();
  const [first = ''] = bundles();
  put('tests/one.mjs', 'export const one = 2;\n');
  writeFileSync(join(folder, 'users', `${process.pid}@${hostname()}`), '');
  bundled();
  expect(bundles()).toHaveLength(2);
  rmSync(join(folder, 'users', `${process.pid}@${hostname()}`));
  put('tests/one.mjs', 'export const one = 3;\n');
  bundled();
  expect(bundles()).toHaveLength(1);
  expect(bundles()).not.toContain(first);
});

test('two that begin at once make one bundle, which both use', () => {
  const script = `
    const { bundledTests } = await import(${JSON.stringify(join(checkout, 'set-up/bundle-tests.mjs'))});
    await Promise.all([bundledTests(), bundledTests()]);`;
  const { status, stderr } = spawnSync(execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toMatch(/^(set-up: waiting for another set-up that runs now\n)?$/);
  expect(status).toBe(0);
  expect(bundles()).toHaveLength(1);
  expect(existsSync(`${cache()}-lock`)).toBe(false);
});
