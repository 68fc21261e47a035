/** Connections by which a participant receives, where a server gives media on others than it takes it on: one for all sources, or one each. */
export const subscribings = ['one', 'each'] as const;
export type Subscribing = (typeof subscribings)[number];
