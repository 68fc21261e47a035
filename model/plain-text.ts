/**
 * Everything that moves a cursor, colours, or reorders what is shown: C0 and C1 control characters (ECMA-48) but tab and
 * line feed, the marks that turn the direction of writing (Unicode Standard Annex 9), and two odd line ends.
 */
const unprintable = /[^\P{Cc}\t\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Text of somebody else's, made safe for a terminal: what a media server says must not write over what is judged of it. */
export function plainText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unprintable, '\ufffd');
}

/** The same, of `most` characters at most, with how many there were where that is more. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return plainText(text);
  return `${plainText(text.slice(0, most))}… (${text.length} characters)`;
}
