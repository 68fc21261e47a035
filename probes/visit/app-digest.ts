import { createHash } from 'node:crypto';
import type { User } from './log-ins.js';

/** By which two hosts know that they visit the same app, join it by the same script and log in the same users. */
export function appDigest(url: string, code: string, users: readonly User[]): string {
  return createHash('sha256')
    .update(JSON.stringify([url, code, users]))
    .digest('hex');
}
