import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { recordedRun, withRunFolder } from '../stored-runs.js';
import { runLoadline } from './run-loadline.js';

/** The recorded run is of a version that had no seals. */
const notSealed =
  'warning: This run is not sealed: it was stored by an earlier Loadline, and later changes would not show.\n';

test('report writes one HTML file where it is told, says where, and leaves nothing else', async () => {
  await withRunFolder(async (folder) => {
    const out = join(folder, 'my report.html');
    const { exitCode, stdout, stderr } = await runLoadline(['report', recordedRun, '--out', out]);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: `${out}\n`, stderr: notSealed });
    expect(await readdir(folder)).toEqual(['my report.html']);
    const text = await readFile(out, 'utf8');
    expect(text.startsWith('<!doctype html>')).toBe(true);
    expect(text.trimEnd().endsWith('</html>')).toBe(true);
  });
});
