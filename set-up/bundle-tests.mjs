/**
 * What Playwright Test loads, made quick to load. It turns each TypeScript file into JavaScript with Babel when it first meets it, and
 * in Node 20 it asks another thread about each file that is imported: of 1500 files, in itself and in each of its workers. So esbuild
 * makes one file of all that tests import, and each test one that imports from it. They are put where Playwright keeps its own
 * results (PLAYWRIGHT_TRANSFORM_CACHE_DIR), each under the name that it looks for there, which holds path and content. What is changed
 * later has another name: Playwright then does all by itself again, as it does where tests are run by hand (`npx playwright test`).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { root } from './places.mjs';
import { folders } from './sources.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'node_modules/playwright/package.json'), 'utf8'));
/** Below node_modules, so that Playwright takes what lies there as it is. */
const cache = join(root, 'node_modules/.cache/loadline-tests');
/** What tests import as '@playwright/test' (tsconfig.json). */
const runner = join(root, 'tests/bare-test.ts');
const dayMs = 86_400_000;
const options = { target: 'node20', tsconfigRaw: { compilerOptions: { useDefineForClassFields: true } } };
const digest = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex');

/** The environment in which Playwright finds them; made anew where a source has changed. */
export async function bundledTests() {
  const texts = new Map(
    [...folders, 'docker', 'docs', 'set-up', 'tests']
      .flatMap(sourcesIn)
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
  const own = readFileSync(join(root, 'set-up/bundle-tests.mjs'), 'utf8');
  const folder = join(cache, digest(own, version, ...[...texts].flat()).slice(0, 16));
  if (!existsSync(folder)) {
    const made = `${folder}.${process.pid}`;
    await make(made, folder, texts);
    // Whole or not at all: other tests may be started beside.
    if (!existsSync(folder)) renameSync(made, folder);
  }
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    if (Date.now() - statSync(old).mtimeMs > dayMs) rmSync(old, { recursive: true, force: true });
  }
  return { PLAYWRIGHT_TRANSFORM_CACHE_DIR: folder };
}

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.ts$/.test(name) && !/\.d\.ts$|(^|\/)node_modules\//.test(name))
    .map((name) => join(root, folder, name))
    .sort();
}

/** Makes in one folder what will lie in another. */
async function make(made, folder, texts) {
  const tests = await Promise.all(
    [...texts]
      .filter(([path]) => path.endsWith('.test.ts'))
      .map(async ([path, text]) => ({ path, text, ...(await transpiled(path, text)) })),
  );
  const names = new Map();
  for (const test of tests)
    for (const { path } of importsIn(test)) names.set(path, names.get(path) ?? `module${names.size}`);
  const file = 'imported.mjs';
  await bundle(names, join(made, file));
  for (const test of tests) put(made, test, withImportsFrom(test, names, pathToFileURL(join(folder, file)).href));
  for (const path of [join(root, 'playwright.config.ts'), runner]) {
    const text = readFileSync(path, 'utf8');
    const one = { path, text, ...(await transpiled(path, text)) };
    put(made, one, one.code);
  }
}

async function transpiled(path, text) {
  const { code, map } = await transform(text, {
    ...options,
    loader: 'ts',
    format: 'esm',
    sourcemap: 'external',
    sourcefile: basename(path),
  });
  return { code, map };
}

/** As esbuild writes them: `import { a, b as c } from "./d.js";` or `import * as a from "./d.js";`. */
const importStatement = /^import (?:\{([^}]*)\}|\* as (\w+)) from "(\.[^"]*)";/gm;

function importsIn({ path, code }) {
  return [...code.matchAll(importStatement)].flatMap(([statement, named, space, specifier]) => {
    const imported = join(dirname(path), specifier.replace(/\.js$/, '.ts'));
    return existsSync(imported) ? [{ statement, named, space, path: imported }] : [];
  });
}

/** The same lines, so that what was where is still known. */
function withImportsFrom(test, names, url) {
  return importsIn(test).reduce((code, { statement, named, space, path }) => {
    const module = names.get(path);
    const parts = space ?? `{${named.replaceAll(/\s+/g, ' ').replaceAll(' as ', ': ')}}`;
    const lines = statement.replaceAll(/[^\n]/g, '');
    return code.replace(statement, () => `import { ${module} } from "${url}"; const ${parts} = ${module};${lines}`);
  }, test.code);
}

/** Every module with the place that it has as a file of its own. */
async function bundle(names, outfile) {
  const places = {
    name: 'places',
    setup(made) {
      made.onResolve({ filter: /^@playwright\/test$/ }, () => ({ path: runner }));
      made.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = text
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
        return { contents, loader: 'ts' };
      });
    },
  };
  const contents = [...names].map(([path, name]) => `export * as ${name} from ${JSON.stringify(path)};`).join('\n');
  const stdin = { contents, resolveDir: root };
  await build({
    ...options,
    stdin,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [places],
    logLevel: 'warning',
  });
}

/** Where Playwright looks for an ES module of TypeScript whose class fields are defined (tsconfig.json). */
function put(folder, { path, text, map }, code) {
  const ofPath = digest(path).slice(0, 10);
  const ofContent = digest('esm', text, path, version, '', 'define', '').slice(0, 7);
  const place = join(folder, ofPath.slice(0, 2), `${ofPath}_${ofContent}_${basename(path, '.ts').replace(/\W/g, '')}`);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(`${place}.map`, map);
  writeFileSync(`${place}.js`, `// ${digest(code)}\n${code}`);
}
