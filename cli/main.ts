import { LoadlineError } from '../model/errors.js';
import { runCommandLine } from './command-line.js';
import { exitWith, realProcess } from './process.js';
import { renderError } from './render-error.js';

await exitWith(await runCommandLine(realProcess()), (lost) => {
  const what = 'Standard output did not take all that was written.';
  const parts = { where: 'standard output', why: lost.message, todo: 'make room where it goes, and run it again' };
  return renderError(new LoadlineError('E_DISK_FULL', what, { ...parts, cause: lost })).text;
});
