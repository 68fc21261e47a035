import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

/** For tests that run without a build: each bundles a program from its sources, and returns the bundle's path. */
async function bundle(source: string, outfile: string, options: BuildOptions): Promise<string> {
  const entryPoints = [fileURLToPath(new URL(`../${source}`, import.meta.url))];
  await build({ entryPoints, outfile, bundle: true, ...options });
  return outfile;
}

const inBrowser = { platform: 'browser', target: 'chrome120', format: 'iife', logLevel: 'warning' } as const;

/** The page code. */
export const bundlePageScript = (outfile: string) => bundle('probes/page/main.ts', outfile, inBrowser);

/** What observes a page that is not ours. */
export const bundleObserver = (outfile: string) => bundle('probes/page/visit/main.ts', outfile, inBrowser);

/** The worker by which pages of an app neither decode nor encode. */
export const bundlePicturesWorker = (outfile: string) =>
  bundle('probes/page/visit/encoded/worker.ts', outfile, inBrowser);

/** The program of native probes; the path must end in `.cjs`. */
export const bundleNativeWorker = (outfile: string) =>
  bundle('cli/native-worker.ts', outfile, { platform: 'node', target: 'node20', format: 'cjs', logLevel: 'error' });
