/** Words of prose that a reader takes at once. */
const mostWords = 25;

/** Words that make a reader read a sentence twice. */
const twisted: readonly RegExp[] = [
  /\bso many\b/gi,
  /\bof those who\b/gi,
  /\bthat of what\b/gi,
  /\bof (?:who|whom)\b/gi,
  /\bwho it is that\b/gi,
  /\bwhat it is without\b/gi,
  /\bbut for\b/gi,
];

/** Each sentence of a page: no code, no headings; a cell of a table and an item of a list stand alone. */
export function sentencesOf(text: string): readonly string[] {
  const prose = text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^(?: {4}|#).*$/gm, '')
    .replace(/`[^`\n]+`/g, 'Code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*/g, '');
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.)\s?)/);
  return blocks
    .flatMap((block) => (block.trimStart().startsWith('|') ? block.split('|') : [block]))
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.!?:;])\s+(?=["“(\p{Lu}0-9])| · /u))
    .map((sentence) => sentence.replace(/^\s*(?:[-*]|\d+\.)\s+/, '').trim())
    .filter((sentence) => sentence !== '');
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

export const longSentences = (text: string) => sentencesOf(text).filter((sentence) => wordsOf(sentence) > mostWords);

export const twistedWords = (text: string) => twisted.flatMap((pattern) => text.match(pattern) ?? []);
