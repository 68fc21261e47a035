import { defineConfig } from '@playwright/test';

/**
 * Three kinds of test. `pure` runs in parallel; `page` drives a Chromium without media servers; `system` runs the whole
 * tool with real media, one at a time, because two at once would measure each other.
 */
export default defineConfig({
  reporter: process.env['CI'] ? [['list']] : [['line']],
  outputDir: 'test-results',
  timeout: 30_000,
  projects: [
    {
      name: 'pure',
      testMatch: /.*\.test\.ts$/,
      testIgnore: [/\.page\.test\.ts$/, /\.system\.test\.ts$/, /node_modules/, /dist/],
      // Half of the cores, the default, is one worker of two: no two at once.
      workers: '100%',
    },
    { name: 'page', testMatch: /\.page\.test\.ts$/, timeout: 60_000, workers: 1 },
    { name: 'system', testMatch: /\.system\.test\.ts$/, timeout: 600_000, workers: 1, fullyParallel: false },
  ],
});
