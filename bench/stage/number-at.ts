import { argv } from 'node:process';

/** The number that stands in this place of the command line. Throws where something else does, which would be a row without figures after minutes. */
export function numberAt(place: number, name: string, usual: number, least = 1): number {
  const word = argv[place];
  const value = word === undefined ? usual : Number(word);
  if (!(value >= least)) throw new Error(`${name} is a number, ${least} or more, not ${word}`);
  return value;
}
