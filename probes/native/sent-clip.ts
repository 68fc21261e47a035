import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodedClip } from '../chromium/media/encoded-clip.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import type { FleetOptions } from '../fleet.js';

/** The file of what native probes send: the clip of encoded probes, made by a Chromium the first time it is needed. Rejects with E_CHROMIUM_START. */
export async function sentClip({ media, chromiumPath, cacheFolder, pageScript }: FleetOptions): Promise<string> {
  const folder = cacheFolder ?? join(homedir(), '.cache', 'loadline');
  const files = await mediaFiles(folder, media);
  const script = await readFile(pageScript ?? fileURLToPath(new URL('page.js', import.meta.url)), 'utf8');
  return encodedClip({ cacheFolder: folder, media, files, chromiumPath, script });
}
