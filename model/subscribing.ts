/** Participants receive all sources over one further connection, each over one of its own, or over the same they send on. */
export const subscribings = ['one', 'each', 'same'] as const;
export type Subscribing = (typeof subscribings)[number];
