/**
 * Bundles the command line, the benches and the page code into dist/. Quick, so that it can run whenever a source has
 * changed. Built beside dist/ and swapped in whole: a start that comes in between finds the old build or the new one.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { noticesName, noticesOf } from './notices.mjs';
import { dist, root } from './places.mjs';
import { sourcesDigest, stampName } from './sources.mjs';

const next = `${dist}.next-${process.pid}`;
const old = `${dist}.next-${process.pid}-old`;
const digest = sourcesDigest();

/**
 * In the bundle, because it is a hundred small files that every start would open; other packages of the command line
 * stay packages.
 */
const bundled = new Set(['zod']);
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
  (name) => !bundled.has(name),
);

const benches = existsSync(join(root, 'bench'))
  ? readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  : [];

try {
  const tool = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: {
      loadline: 'cli/main.ts',
      'native-worker': 'cli/native-worker.ts',
      'report-worker': 'cli/report-worker.ts',
      'script-watchdog': 'probes/visit/script-watchdog.ts',
      'find-chromium': 'probes/chromium/find-chromium.ts',
      'find-gstreamer': 'host/find-gstreamer.ts',
      ...Object.fromEntries(benches.map((name) => [`bench/${name.slice(0, -3)}`, `bench/${name}`])),
    },
    outdir: next,
    bundle: true,
    external: packages.flatMap((name) => [name, `${name}/*`]),
    platform: 'node',
    target: 'node20',
    format: 'esm',
    splitting: true,
    sourcemap: true,
    logLevel: 'warning',
  });

  const page = await buildForBrowser({ page: 'probes/page/main.ts' }, { sourcemap: 'inline' });
  // Put into each document of a visited page, so that it is small.
  const visit = await buildForBrowser(
    { visit: 'probes/page/visit/main.ts', 'visit-worker': 'probes/page/visit/encoded/worker.ts' },
    { minify: true },
  );
  const style = 'report/page/report.css';
  const pages = { report: 'report/page/main.ts', runs: 'report/page/runs.ts', 'report-style': style };
  const report = await buildForBrowser(pages, { minify: true });

  copyFileSync(join(root, 'cli/demo/demo-run.br'), join(next, 'demo-run.br'));
  writeFileSync(join(next, noticesName), noticesOf([tool, page, visit, report].map(({ metafile }) => metafile)));
  // Of what was just built: the page of `man` that an installed package brings.
  writeFileSync(join(next, 'loadline.1'), execFileSync(process.execPath, [join(next, 'loadline.js'), 'man']));
  writeFileSync(join(next, stampName), digest);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
} finally {
  rmSync(next, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}

/** A script that needs no other, for a page. */
function buildForBrowser(entryPoints, options) {
  return build({
    metafile: true,
    absWorkingDir: root,
    entryPoints,
    outdir: next,
    bundle: true,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    logLevel: 'warning',
    ...options,
  });
}
