import { hashOfText } from './text-hash.js';

/** 32 bits that stand for a participant in the marks of its pictures. */
export const senderOf = (participant: string): number => hashOfText(participant);
