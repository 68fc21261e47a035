import { dirname, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { makeFolders } from '../../host/make-folders.js';
import { mostArtifacts } from '../../model/artifacts.js';
import { messageOf } from '../../model/errors.js';

/** Until it is kept or dropped, one page's. */
export interface PageTrace {
  /** Returns a sentence of what became of it; never rejects. */
  keep(name: string): Promise<string | undefined>;
  /** Never rejects. */
  drop(): Promise<void>;
}

/**
 * Traces of Playwright of pages that fail, in a folder of the user's and never in the run: they hold all that a page
 * sends, logins among it.
 */
export class PageTraces {
  private kept = 0;

  constructor(private readonly folder: string) {}

  /** From now on the context is traced. */
  async begin({ tracing }: BrowserContext): Promise<PageTrace> {
    await tracing.start({ snapshots: true, screenshots: true });
    let ended = false;
    const end = async (path?: string): Promise<void> => {
      if (ended) return;
      ended = true;
      await tracing.stop(path === undefined ? {} : { path });
    };
    return {
      keep: async (name) => {
        if (ended || this.kept >= mostArtifacts) return undefined;
        this.kept += 1;
        const path = join(this.folder, `${name}.zip`);
        try {
          await makeFolders(dirname(path), { mode: 0o700 });
          await end(path);
          return `It is kept in ${path}: npx playwright show-trace shows it.`;
        } catch (error) {
          return `It cannot be kept in ${path}: ${messageOf(error)}`;
        }
      },
      drop: () => end().catch(() => undefined),
    };
  }
}
