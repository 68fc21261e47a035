/** Where things lie in a checkout, as absolute paths. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const dist = join(root, 'dist');
export const entryFile = join(dist, 'loadline.js');
export const lockFolder = join(root, '.set-up-lock');
