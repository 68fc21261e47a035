import { hashOfText } from './text-hash.js';

/** 32 bits that stand for a participant in the marks of its pictures. */
export const senderOf = (participant: string): number => hashOfText(participant);

const clocks = 2 ** 12;

/** What stands for a machine's clock in them: by its name, unless one of these has that. */
export function clockOf(name: string, taken: readonly number[] = []): number {
  let clock = hashOfText(name) % clocks;
  while (taken.includes(clock)) clock = (clock + 1) % clocks;
  return clock;
}
