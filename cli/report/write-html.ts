import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeWholeFile } from '../../host/whole-file.js';
import { buildReport, type ReportAssets } from '../../report/build-report.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { finishedRun } from './finished-run.js';
import { foldApart } from './fold-apart.js';

/** The page's script and style lie beside the build. */
export async function builtAssets(): Promise<ReportAssets> {
  return { script: await builtFile('report.js'), style: await builtFile('report-style.css') };
}

/** What works the page of many runs. */
export const runsScript = () => builtFile('runs.js');

const builtFile = (name: string) => readFile(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

/** Writes the HTML report of a stored run: a whole file or none. */
export async function writeHtmlReport(stored: StoredRun, path: string, assets?: ReportAssets): Promise<void> {
  const parts = await buildReport({
    run: finishedRun(stored),
    warnings: stored.warnings,
    source: { ...stored, foldApart: foldApart({ run: stored }) },
    assets: assets ?? (await builtAssets()),
  });
  await writeWholeFile(path, parts);
}
