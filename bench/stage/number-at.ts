import { argv } from 'node:process';

/** The number at this place of the command line. Throws if there is none: better now than after minutes. */
export function numberAt(place: number, name: string, usual: number, least = 1): number {
  const word = argv[place];
  const value = word === undefined ? usual : Number(word);
  if (!(value >= least)) throw new Error(`${name} is a number, ${least} or more, not ${word}`);
  return value;
}
