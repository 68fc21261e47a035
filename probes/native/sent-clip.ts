import { layerMadeShare, layerMedia } from '../../model/layer.js';
import { cacheOf, pageScriptOf } from '../chromium/fleet-files.js';
import { encodedClip } from '../chromium/media/encoded-clip.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import type { FleetOptions } from '../fleet.js';
import { topRates } from '../page/encoded/rungs.js';

/**
 * What native probes send: the clip of encoded probes, or one for each layer, the lowest first. A Chromium makes them
 * on first use. Rejects with E_CHROMIUM_START.
 */
export async function sentClips(options: FleetOptions): Promise<readonly string[]> {
  const { chromiumPath } = options;
  const cacheFolder = cacheOf(options);
  const script = await pageScriptOf(options);
  const paths: string[] = [];
  const layers = layerMedia(options.media);
  for (const [nth, media] of layers.entries()) {
    const files = await mediaFiles(cacheFolder, media);
    const beside = layers.slice(0, nth).reduce((sum, { videoKbps }) => sum + videoKbps, 0);
    const isLayer = layers.length > 1;
    const all = { of: options.media.videoKbps, share: isLayer ? layerMadeShare : 1, beside };
    const topKbps = nth < layers.length - 1 ? [media.videoKbps] : topRates(media.videoKbps, all);
    paths.push(await encodedClip({ cacheFolder, media, topKbps, isLayer, files, chromiumPath, script }));
  }
  return paths;
}
