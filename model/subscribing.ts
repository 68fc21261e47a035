/** Participants receive all sources over one more connection, each over its own, or over the one they send on. */
export const subscribings = ['one', 'each', 'same'] as const;
export type Subscribing = (typeof subscribings)[number];
