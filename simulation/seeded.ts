import { hashOfText, spread } from '../model/text-hash.js';

/**
 * Chance that is the same each time: a number in [0, 1) for a list of words and numbers (FNV-1a with a final mix).
 * It depends on nothing else, so that the order in which things are asked does not matter.
 */
export function chance(...parts: readonly (string | number)[]): number {
  return spread(hashOfText(parts.join('|'))) / 2 ** 32;
}
