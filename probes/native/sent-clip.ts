import { layerMedia } from '../../model/layer.js';
import { cacheOf, pageScriptOf } from '../chromium/fleet-files.js';
import { encodedClip } from '../chromium/media/encoded-clip.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import type { FleetOptions } from '../fleet.js';

/**
 * What native probes send: the clip of encoded probes, or one for each layer, the lowest first. A Chromium makes them on
 * first use. Rejects with E_CHROMIUM_START.
 */
export async function sentClips(options: FleetOptions): Promise<readonly string[]> {
  const { chromiumPath } = options;
  const cacheFolder = cacheOf(options);
  const script = await pageScriptOf(options);
  const paths: string[] = [];
  for (const media of layerMedia(options.media)) {
    const files = await mediaFiles(cacheFolder, media);
    paths.push(await encodedClip({ cacheFolder, media, files, chromiumPath, script }));
  }
  return paths;
}
