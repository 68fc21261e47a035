import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the page code from its sources, for tests that run without a build. Returns the bundle's path. */
export async function bundlePageScript(outfile: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('../probes/page/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    logLevel: 'warning',
  });
  return outfile;
}
