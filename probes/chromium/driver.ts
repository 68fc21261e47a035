import { createRequire } from 'node:module';
import type * as playwright from 'playwright-core';

/**
 * Playwright's driver, loaded as the CommonJS that it is: `import` reads the whole of it once more, 7 MB, to learn the
 * names that it exports, and a command would wait a third of a second longer for its first line.
 */
export const { chromium, errors }: Pick<typeof playwright, 'chromium' | 'errors'> = createRequire(import.meta.url)(
  'playwright-core',
);
