import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the program of native probes from its sources, for tests that run without a build. Returns the bundle's path, which must end in `.cjs`. */
export async function bundleNativeWorker(outfile: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('../cli/native-worker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'error',
  });
  return outfile;
}
