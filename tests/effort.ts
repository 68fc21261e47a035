/**
 * Two suites: `npm test`, the short one, in minutes; `npm run test:long` the rest. A tag at a test says where it
 * belongs where that is not its kind's: tests of a whole run with real media are long, all others short.
 */
const effort: 'short' | 'long' = process.env.LOADLINE_SUITE === 'short' ? 'short' : 'long';

/** A pure, process or page test of the long suite alone. */
export const long = { tag: '@long' } as const;

/** A system test of the short suite. */
export const short = { tag: '@short' } as const;

/** In both suites: it tries little in the short one, all in the long one. */
export const both = { tag: '@both' } as const;

/**
 * How often such a test tries: so many random trials, rounds or servers. By hand, without a suite, as often as in the
 * long one.
 */
export const times = (inShort: number, inLong: number): number => (effort === 'short' ? inShort : inLong);
