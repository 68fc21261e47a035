import { defineConfig } from '@playwright/test';

/**
 * Which tests a suite takes, by their tags (tests/effort.ts). Without a suite, by hand, there are all of them: then a
 * tag decides nothing.
 */
const suites = {
  short: { quick: { grepInvert: /@long/ }, system: { grep: /@short|@both/ } },
  long: { quick: { grep: /@long|@both/ }, system: { grepInvert: /@short/ } },
  '': { quick: {}, system: {} },
};
const named = process.env.LOADLINE_SUITE ?? '';
const suite = suites[named === 'short' || named === 'long' ? named : ''];

/** On a machine that others use too, what waits for real clocks is tried again, and told as flaky. */
const retries = process.env.CI ? 1 : 0;
/** Those that measure real media, twice. */
const retriesOfMedia = 2 * retries;

/**
 * Four kinds of test. `pure` starts no process and no server and waits for no clock; `process` starts programs, or
 * servers on real sockets, and waits for them; both run in parallel. `page` drives a Chromium without media servers;
 * `system` runs the whole tool with real media, one at a time, because two at once would measure each other.
 */
export default defineConfig({
  reporter: process.env.CI ? [['list']] : [['line']],
  outputDir: 'test-results',
  timeout: 30_000,
  // For tests of processes, which wait about half of their time: two for each core. A project can have fewer than this,
  // not more.
  workers: '200%',
  projects: [
    {
      name: 'pure',
      testMatch: /.*\.test\.ts$/,
      testIgnore: /\.(process|page|system)\.test\.ts$/,
      workers: '100%',
      ...suite.quick,
    },
    { name: 'process', testMatch: /\.process\.test\.ts$/, retries, ...suite.quick },
    { name: 'page', testMatch: /\.page\.test\.ts$/, timeout: 60_000, workers: '100%', retries, ...suite.quick },
    {
      name: 'system',
      testMatch: /\.system\.test\.ts$/,
      timeout: 600_000,
      workers: 1,
      retries: retriesOfMedia,
      fullyParallel: false,
      ...suite.system,
    },
  ],
});
