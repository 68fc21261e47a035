import { join } from 'node:path';
import type { StudyAnswer } from '../../analysis/study/study-answer.js';
import { writeWholeFile } from '../../host/whole-file.js';
import { studyPage } from '../../report/study-page.js';
import { storeError } from '../../store/run-directory/store-error.js';
import { builtAssets } from '../report/write-html.js';
import { loadlineVersion } from '../version.js';
import { studyLayout } from './study-folder.js';

/** Writes the page beside the runs that it links to, and says where it is. Throws E_OUT. */
export async function writeStudyPage(folder: string, answer: StudyAnswer): Promise<string> {
  const path = join(folder, studyLayout.page);
  const page = studyPage(answer, { style: (await builtAssets()).style, version: loadlineVersion() });
  await writeWholeFile(path, [page]).catch((error: unknown) => {
    throw storeError(error, path, 'the page of the study cannot be written');
  });
  return path;
}
