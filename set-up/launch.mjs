/** Brings packages and build up to date, then hands over to the command line in the same process. */
import { pathToFileURL } from 'node:url';
import { entryFile } from './places.mjs';
import { endWith } from './report.mjs';
import { bringUpToDate } from './set-up.mjs';

try {
  await bringUpToDate();
} catch (error) {
  endWith(error);
}
process.argv[1] = entryFile;
await import(pathToFileURL(entryFile).href);
