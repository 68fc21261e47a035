import { layerNames } from '../../model/layer.js';
import { type SpatialLayer, spatialLayerOf } from '../../rtp/vp9.js';
import type { MediaOutput, Shown } from './ports.js';

/**
 * What becomes of a packet of a stream with layers: the last one of a picture that goes on says that it is the last.
 */
type Part = 'as-it-is' | 'end-of-picture' | 'left-out';

/** Of the layers within one stream of VP9, those up to the one that a receiver asks for. */
export class SpatialChoice {
  /** Of those that came. */
  #highest = 0;
  /** That goes on now; -1 is none. */
  #present = -1;
  readonly #shown: Shown | undefined;

  constructor(shown: Shown | undefined) {
    this.#shown = shown;
  }

  partOf(payload: Uint8Array, codec: string, from: Pick<MediaOutput, 'requestKeyFrame'>): Part {
    const layer = codec.startsWith('vp9/') ? spatialLayerOf(payload) : undefined;
    if (layer === undefined) return 'as-it-is';
    const wanted = this.#wanted(layer);
    if (layer.spatial === 0 && layer.begins) this.#turn(wanted, layer.isKey);
    if (wanted > this.#present) from.requestKeyFrame();
    if (layer.spatial > this.#present) return 'left-out';
    return layer.ends && layer.spatial === this.#present ? 'end-of-picture' : 'as-it-is';
  }

  #wanted({ spatial }: SpatialLayer): number {
    this.#highest = Math.max(this.#highest, spatial);
    const ask = this.#shown?.ask ?? 'high';
    return ask === 'none' ? -1 : Math.max(0, this.#highest - (layerNames.length - 1) + layerNames.indexOf(ask));
  }

  /** Between two pictures; up only with a key frame, for a layer rests on its own pictures before. */
  #turn(wanted: number, isKey: boolean): void {
    if (wanted < this.#present || isKey) this.#present = wanted;
  }
}
