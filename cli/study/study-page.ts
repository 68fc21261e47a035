import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { StudyAnswer } from '../../analysis/study/study-answer.js';
import { writeWholeFile } from '../../host/whole-file.js';
import { studyPage } from '../../report/study-page.js';
import { storeError } from '../../store/run-directory/store-error.js';
import type { ToolProcess } from '../process.js';
import { reportBeside } from '../report/report-beside.js';
import { builtAssets } from '../report/write-html.js';
import { loadlineVersion } from '../version.js';
import { studyLayout } from './study-folder.js';

/**
 * Writes the page beside the runs that it links to, and says where it is. A run that has no report gets one. Throws
 * E_OUT.
 */
export async function writeStudyPage(folder: string, answer: StudyAnswer, tool: ToolProcess): Promise<string> {
  const path = join(folder, studyLayout.page);
  const page = studyPage(answer, { style: (await builtAssets()).style, version: loadlineVersion() });
  await writeWholeFile(path, [page]).catch((error: unknown) => {
    throw storeError(error, path, 'the page of the study cannot be written');
  });
  for (const run of linkedRuns(page)) {
    const isThere = await access(join(folder, run, 'report.html')).then(
      () => true,
      () => false,
    );
    if (!isThere) await reportBeside(join(folder, run), tool);
  }
  return path;
}

/** Folders of the runs to whose reports figures lead. */
function linkedRuns(page: string): ReadonlySet<string> {
  return new Set([...page.matchAll(/href="([^"]+)\/report\.html"/g)].map(([, href = '']) => decodeURIComponent(href)));
}
