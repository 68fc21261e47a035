import { textElements } from '../../rtp/rtp.js';
import type { AgreedMedia } from './agreed-media.js';
import type { OwnStreams } from './own-description.js';

/** What a stream is known by. */
export interface StreamNames {
  readonly ssrc: number;
  readonly resent: { readonly ssrc: number; readonly names?: Uint8Array };
  readonly layer?: { readonly rid: string; readonly names: Uint8Array };
}

/** One, or of a video those of its layers that the server takes, the lowest first. */
export function streamsOf({ kind, mid, midId, layers }: AgreedMedia, own: OwnStreams): readonly StreamNames[] {
  const ofOne = { ssrc: own.ssrcs[kind], resent: { ssrc: own.resent } };
  if (kind === 'audio' || !own.layers) return [ofOne];
  const section = midId === undefined ? [] : [[midId, mid] as const];
  return own.layers.flatMap(({ rid, ssrc, resent }) => {
    if (!layers?.rids.includes(rid)) return [];
    const { ridId, repairedRidId } = layers;
    const ofResent = repairedRidId === undefined ? section : [...section, [repairedRidId, rid] as const];
    return {
      ssrc,
      resent: { ssrc: resent, names: textElements(ofResent) },
      layer: { rid, names: textElements([...section, [ridId, rid]]) },
    };
  });
}
