/** Receiving connections, where a server does not send on those it receives on: one for all sources, or one each. */
export const subscribings = ['one', 'each'] as const;
export type Subscribing = (typeof subscribings)[number];
