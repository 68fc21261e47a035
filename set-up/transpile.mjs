/**
 * Playwright turns each TypeScript file into JavaScript with Babel when it first meets it: in a fresh clone that is 17 s of one
 * core before the first test begins (25.3 of CPU instead of 7.9 to list the pure tests). esbuild does it on all cores and
 * much quicker, so its results are put where Playwright keeps those of its own (PLAYWRIGHT_TRANSFORM_CACHE_DIR). They are named
 * by the file's path and content: what is changed later has another name. A Playwright that names them otherwise finds none, and
 * does all by itself again.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { transform } from 'esbuild';
import { root } from './places.mjs';
import { folders } from './sources.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'node_modules/playwright/package.json'), 'utf8'));
const cache =
  process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR ?? join(tmpdir(), `playwright-transform-cache-${process.geteuid?.()}`);
const digest = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex');

/** All of them, but those that are there already. */
export async function transpileTests() {
  const paths = [...folders, 'docker', 'docs', 'set-up', 'tests'].flatMap(sourcesIn);
  await Promise.all([join(root, 'playwright.config.ts'), ...paths].map(transpile));
}

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.ts$/.test(name) && !/\.d\.ts$|(^|\/)node_modules\//.test(name))
    .map((name) => join(root, folder, name));
}

async function transpile(path) {
  const text = readFileSync(path, 'utf8');
  const place = placeOf(path, text);
  if (existsSync(`${place}.js`)) return;
  const { code, map } = await transform(text, {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'external',
    sourcefile: basename(path),
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: true } },
  });
  mkdirSync(join(place, '..'), { recursive: true });
  writeFileSync(`${place}.map`, map);
  // Whole or not at all: tests may run beside.
  writeFileSync(`${place}.js.${process.pid}`, `// ${digest(code)}\n${code}`);
  renameSync(`${place}.js.${process.pid}`, `${place}.js`);
}

/** Where Playwright looks for an ES module of TypeScript whose class fields are defined (tsconfig.json), without ending. */
function placeOf(path, text) {
  const ofPath = digest(path).slice(0, 10);
  const ofContent = digest('esm', text, path, version, '', 'define', '').slice(0, 7);
  return join(cache, ofPath.slice(0, 2), `${ofPath}_${ofContent}_${basename(path, '.ts').replace(/\W/g, '')}`);
}
