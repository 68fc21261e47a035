/** Of what layer a packet is of VP9 that has layers within one stream. */
export interface SpatialLayer {
  /** 0 is the lowest. */
  readonly spatial: number;
  /** It begins the picture of its layer. */
  readonly begins: boolean;
  /** It ends it. */
  readonly ends: boolean;
  /** It is made from no other picture before it. */
  readonly isKey: boolean;
}

/** RFC 9628, 4.2: behind the first byte and the picture's number, if it is there, are the layer's. */
export function spatialLayerOf(payload: Uint8Array): SpatialLayer | undefined {
  const [first = 0, pictureId = 0] = payload;
  if ((first & 0x20) === 0) return undefined;
  const at = (first & 0x80) === 0 ? 1 : (pictureId & 0x80) === 0 ? 2 : 3;
  const spatial = ((payload[at] ?? 0xff) >> 1) & 0x07;
  return { spatial, begins: (first & 0x08) !== 0, ends: (first & 0x04) !== 0, isKey: (first & 0x40) === 0 };
}

/** Whether it begins a key frame; of a picture in layers the lowest counts. */
export function startsKeyFrame(payload: Uint8Array): boolean {
  const [first = 0] = payload;
  if ((first & 0x48) !== 0x08) return false;
  return payload.length > 0 && (spatialLayerOf(payload)?.spatial ?? 0) === 0;
}
