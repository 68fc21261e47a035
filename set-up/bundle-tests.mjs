/**
 * What Playwright Test loads, made quick to load. It turns each TypeScript file into JavaScript with Babel when it
 * first meets it, and in Node 20 it asks another thread about each file that is imported: of 1500 files, in itself and
 * in each of its workers. So esbuild makes one file of all that tests import, and each test one that imports from it.
 * They are put where Playwright keeps its own results (PLAYWRIGHT_TRANSFORM_CACHE_DIR), each under the name that it
 * looks for there, which holds path and content.
 *
 * A bundle is of the sources as they were when `npm test` began, and never of others: it lies in a folder that is named
 * for the content of every file that may be in it, it is made of the texts that were read for that name, and a file
 * that is not among them ends the making. A test that is changed later has another name: Playwright then does it all by
 * itself again, as it does where tests are run by hand (`npx playwright test`).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { kill, pid } from 'node:process';
import { pathToFileURL } from 'node:url';
import { build, version as esbuildVersion, transform } from 'esbuild';
import { alone } from './lock.mjs';
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
      .concat(join(root, 'playwright.config.ts'))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
  const content = JSON.stringify([version, esbuildVersion, ...texts]);
  const folder = join(cache, digest(content).slice(0, 16));
  mkdirSync(dirname(cache), { recursive: true });
  // Others may be started beside: nobody takes away what another makes or begins to use.
  await alone(`${cache}-lock`, async () => {
    if (!existsSync(folder)) {
      const made = `${folder}.made`;
      rmSync(made, { recursive: true, force: true });
      await make(made, folder, texts);
      renameSync(made, folder);
    }
    mkdirSync(join(folder, 'users'), { recursive: true });
    writeFileSync(join(folder, 'users', `${pid}@${hostname()}`), '');
    removeUnused(folder);
  });
  return { PLAYWRIGHT_TRANSFORM_CACHE_DIR: folder };
}

/** Under another name, so that one that is removed in part is never taken for a whole one. */
function removeUnused(folder) {
  const gone = join(cache, 'gone');
  rmSync(gone, { recursive: true, force: true });
  for (const name of readdirSync(cache)) {
    const old = join(cache, name);
    if (old === folder || isUsed(old)) continue;
    renameSync(old, gone);
    rmSync(gone, { recursive: true, force: true });
  }
}

/** By a process of this host that lives, or by one of another host less than a day ago. */
function isUsed(folder) {
  const users = join(folder, 'users');
  if (!existsSync(users)) return false;
  return readdirSync(users).some((user) => {
    const [id, host] = user.split('@');
    if (host !== hostname()) return Date.now() - statSync(join(users, user)).mtimeMs < dayMs;
    try {
      return kill(Number(id), 0);
    } catch (error) {
      return error.code === 'EPERM';
    }
  });
}

function sourcesIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.(ts|mjs|cjs)$/.test(name) && !/\.d\.ts$|(^|\/)node_modules\//.test(name))
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
  await bundle(names, join(made, file), texts);
  for (const test of tests) put(made, test, withImportsFrom(test, names, pathToFileURL(join(folder, file)).href));
  for (const path of [join(root, 'playwright.config.ts'), runner, join(root, 'tests/pure-alone.ts')]) {
    const text = texts.get(path);
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
async function bundle(names, outfile, texts) {
  const places = {
    name: 'places',
    setup(made) {
      made.onResolve({ filter: /^@playwright\/test$/ }, () => ({ path: runner }));
      made.onLoad({ filter: /./ }, ({ path }) => {
        const text = texts.get(path);
        if (text === undefined) throw new Error(`${path} is imported, but no change of it would make a new bundle`);
        const contents = text
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
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
    // A stack trace names the file and the line of the source.
    sourcemap: 'linked',
    sourcesContent: false,
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
