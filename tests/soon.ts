import { expect } from '@playwright/test';

/** How long between two looks. */
const everyMs = 20;

/**
 * What comes true soon. `expect.poll` as it is looks ever more rarely, in the end once a second, and so a test waits up
 * to a second for what is there already.
 */
export const soon = <T>(actual: () => T | Promise<T>, { timeout }: { readonly timeout?: number } = {}) =>
  expect.poll(actual, { intervals: [everyMs], ...(timeout === undefined ? {} : { timeout }) });
