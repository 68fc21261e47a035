import { z } from 'zod';
import { messagesRange } from '../../model/data-messages.js';
import { wrongValue } from './usage-error.js';
import { pacePattern } from './values.js';
import type { Written } from './written.js';

const { from, to } = messagesRange;

/** How many messages a second: `10/s`. */
export const rateOfMessages: Written<number> = {
  inPlans: {
    mustBe: `must be messages per second, from ${from} to ${to}: 10/s`,
    shape: z.union([z.number().int().min(from).max(to), z.string().regex(pacePattern)]),
  },
  read: (text, flag) => {
    const perSecond = Number(pacePattern.exec(text.trim())?.[1] ?? Number.NaN);
    if (Number.isInteger(perSecond) && perSecond >= from && perSecond <= to) return perSecond;
    throw wrongValue(flag, text, `must be a whole number of messages per second, from ${from} to ${to}`, '10/s');
  },
};
