/**
 * The temporal layers of the frames of a layer's clip, again and again from each key frame, as libvpx makes L1T3 in a
 * browser. `syncs`: nothing but frames of layer 0 is referred to.
 */
export const temporalPattern = [
  { layer: 0, syncs: false },
  { layer: 2, syncs: true },
  { layer: 1, syncs: true },
  { layer: 2, syncs: false },
] as const;
