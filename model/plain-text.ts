/**
 * Everything that moves a cursor, colours, or reorders what is shown: C0 and C1 control characters (ECMA-48) but tab
 * and line feed, the marks that turn the direction of writing (Unicode Standard Annex 9), and two odd line ends.
 */
const unprintable = /[^\P{Cc}\t\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Foreign text made safe for a terminal: a media server's words must not overwrite the verdict on it. */
export function plainText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unprintable, '\ufffd');
}

/** Without the sequences that colour it (ECMA-48, SGR). */
export function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with one.
  return text.replaceAll(/\u001b\[[\d;]*m/g, '');
}

/** In JSON: what is unprintable and stands there as it is, each escape, and what it stands for. */
const inJson = /\\(?:u([\da-f]{4})|r\\n|[\s\S])|[\u007f-\u009f]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/giu;
const mayBeOdd = /[\\\u007f-\u009f\u061c\u200e-\u202e\u2066-\u2069]/;
const oddEscapes = new Set(['\\b', '\\f', '\\r']);

/** JSON text whose every text is plain: what a stored run or another process says is made so before it is read. */
export function plainJson(json: string): string {
  if (!mayBeOdd.test(json)) return json;
  return json.replace(inJson, (found: string, code: string | undefined) => {
    if (code !== undefined)
      return plainText(String.fromCharCode(Number.parseInt(code, 16))) === '\ufffd' ? '\ufffd' : found;
    return oddEscapes.has(found) || !found.startsWith('\\') ? '\ufffd' : found;
  });
}

/** A value of JSON with every text in it plain. */
export function plainCopy<T>(value: T): T {
  const json = JSON.stringify(value);
  const plain = plainJson(json);
  return plain === json ? value : (JSON.parse(plain) as T);
}

/** The same, of `most` characters at most, with how many there were where that is more. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return plainText(text);
  return `${plainText(text.slice(0, most))}… (${text.length} characters)`;
}
