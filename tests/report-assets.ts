import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ReportAssets } from '../report/build-report.js';

/** The page of the report, bundled from its sources, for tests that run without a build. */
export async function reportAssets(): Promise<ReportAssets & { readonly runs: string }> {
  const entry = (name: string) => fileURLToPath(new URL(`../report/page/${name}`, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: { report: entry('main.ts'), runs: entry('runs.ts'), 'report-style': entry('report.css') },
    outdir: 'nowhere',
    write: false,
    bundle: true,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    logLevel: 'warning',
  });
  const textOf = (name: string) => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  return { script: textOf('report.js'), runs: textOf('runs.js'), style: textOf('report-style.css') };
}
