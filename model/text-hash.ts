const offsetBasis = 0x811c9dc5;

/** FNV-1a of 32 bits. */
export function hashOfBytes(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let hash = offsetBasis;
  for (let at = from; at < to; at += 1) hash = step(hash, bytes[at] ?? 0);
  return hash >>> 0;
}

/** The same of the characters of a text. */
export function hashOfText(text: string): number {
  let hash = offsetBasis;
  for (const character of text) hash = step(hash, character.codePointAt(0) ?? 0);
  return hash >>> 0;
}

/** MurmurHash3's final mixing: texts that differ in their last letter spread well, too. */
export function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const step = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);
