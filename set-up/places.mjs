/** Where things lie in a checkout or an installed package, as absolute paths. */
import { existsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const dist = join(root, 'dist');
export const entryFile = join(dist, 'loadline.js');
/** An installed package has no sources: its packages and its build came with it. */
export const isCheckout = existsSync(join(root, 'cli'));
/** Packages and build are the checkout's; a Chromium is the user's or the machine's. */
export const checkoutLock = join(root, '.set-up-lock');
export const chromiumLock = () => join(tmpdir(), `loadline-set-up-lock-${userInfo().uid}`);
