import { cacheOf, pageScriptOf } from '../chromium/fleet-files.js';
import { encodedClip } from '../chromium/media/encoded-clip.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import type { FleetOptions } from '../fleet.js';

/** What native probes send: the clip of encoded probes, made by a Chromium on first use. Rejects E_CHROMIUM_START. */
export async function sentClip(options: FleetOptions): Promise<string> {
  const { media, chromiumPath } = options;
  const cacheFolder = cacheOf(options);
  const files = await mediaFiles(cacheFolder, media);
  const script = await pageScriptOf(options);
  return encodedClip({ cacheFolder, media, files, chromiumPath, script });
}
