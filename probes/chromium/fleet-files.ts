import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FleetOptions } from '../fleet.js';

/** Where clips are kept from one run to the next. */
export function cacheOf({ cacheFolder }: Pick<FleetOptions, 'cacheFolder'>): string {
  return cacheFolder ?? join(homedir(), '.cache', 'loadline');
}

/** What runs in the pages of probes. */
export function pageScriptOf({ pageScript }: Pick<FleetOptions, 'pageScript'>): Promise<string> {
  return readFile(pageScript ?? fileURLToPath(new URL('page.js', import.meta.url)), 'utf8');
}
