import { z } from 'zod';
import { given } from './given.js';

const price = z.number({ error: 'must be a price, 0 or more' }).nonnegative({ error: 'must be a price, 0 or more' });
const percentError = 'must be a share: 40%';
const sharePercent = z
  .string({ error: percentError })
  .regex(/^(100|\d{1,2}(\.\d+)?)\s*%$/, { error: percentError })
  .transform((text) => Number.parseFloat(text) / 100);

const hostPrice = z
  .strictObject({
    perHour: price.optional(),
    /** Of a host that is paid for all month. */
    perMonth: price.optional(),
    /** Of these hosts so many are bought at the price of spare capacity that may be taken away. */
    spot: z.strictObject({ perHour: price, share: sharePercent }).optional(),
  })
  .refine(({ perHour, perMonth }) => (perHour === undefined) !== (perMonth === undefined), {
    error: 'must have perHour or perMonth, one of the two',
  });

const sizeError = 'must be an amount of data: 500GB or 10TB';
const gigabytes = z
  .string({ error: sizeError })
  .regex(/^\d+(\.\d+)?\s*(GB|TB)$/, { error: sizeError })
  .transform((text) => Number.parseFloat(text) * (/TB$/.test(text) ? 1000 : 1));

const step = z.strictObject({ upTo: gigabytes.optional(), perGb: price });

const stepsError = 'must go up: each step but the last has an upTo, above that of the step before';
const steps = z
  .array(step, { error: 'must be a list of steps: - { upTo: 10TB, perGb: 0.09 }' })
  .min(1, { error: 'must have at least one step' })
  .refine((all) => all.every(({ upTo }, index) => isStep(upTo, all[index - 1]?.upTo ?? 0, index === all.length - 1)), {
    error: stepsError,
  });

function isStep(upTo: number | undefined, before: number, isLast: boolean): boolean {
  return isLast ? upTo === undefined : upTo !== undefined && upTo > before;
}

/** A user's file of what hosts and traffic cost. Data is decimal, as on bills: 1 TB is 1000 GB of 10⁹ bytes. */
export const pricesSchema = z.strictObject({
  currency: z.string({ error: 'must be the name of a currency: EUR' }).regex(/^\S{1,8}$/, {
    error: 'must be the name of a currency: EUR',
  }),
  hosts: z.record(z.string(), hostPrice, { error: 'must name kinds of host, each with perHour or perMonth' }),
  /** What leaves the hosts. Absent: it costs nothing that is known. */
  egress: steps.optional(),
  /** Absent: 730, a twelfth of a year. */
  hoursPerMonth: z.number().positive().max(744).optional(),
});

/** Hours of a month where nobody says otherwise: a twelfth of 365 days. */
const usualHoursPerMonth = 730;

export const hoursPerMonth = (prices: { readonly hoursPerMonth?: number | undefined }): number =>
  prices.hoursPerMonth ?? usualHoursPerMonth;

/** As it is computed with: each host has a price of an hour. */
export function hourlyPrices({ hosts, ...rest }: z.infer<typeof pricesSchema>) {
  const hours = hoursPerMonth(rest);
  const priced = Object.entries(hosts).map(([name, { perHour, perMonth, spot }]) => {
    return [name, { perHour: perHour ?? (perMonth ?? 0) / hours, ...given({ perMonth, spot }) }] as const;
  });
  return { ...rest, hosts: Object.fromEntries(priced) };
}

export type Prices = ReturnType<typeof hourlyPrices>;

/** Kinds of host whose price is that of a month. */
export const paidByMonth = ({ hosts }: Prices): readonly string[] =>
  Object.keys(hosts).filter((name) => hosts[name]?.perMonth !== undefined);
