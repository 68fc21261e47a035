/** Bundles the command line and the page code into dist/. Quick, so that it can run whenever a source is newer. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
rmSync(out, { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: { loadline: 'cli/main.ts', 'find-chromium': 'probes/find-chromium.ts' },
  outdir: out,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  sourcemap: true,
  logLevel: 'warning',
});

await build({
  absWorkingDir: root,
  entryPoints: { page: 'probes/page/main.ts' },
  outdir: out,
  bundle: true,
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
  sourcemap: 'inline',
  logLevel: 'warning',
});
