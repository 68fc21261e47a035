/** FNV-1a of 32 bits. */
export function hashOf(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

export const hashOfText = (text: string): number => hashOf(new TextEncoder().encode(text));

/** 32 bits that stand for a participant in the marks of its pictures. */
export const senderOf = (participant: string): number => hashOfText(participant);
