import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { makeFolders } from '../../host/make-folders.js';
import { LoadlineError } from '../../model/errors.js';
import { firstWords } from './first-words.js';

/** Half of a page's width, and enough to see what stands still: a film is made beside what is measured. */
const how = { size: { width: 640, height: 360 }, fps: 10 } as const;

interface Filming {
  readonly films: string | undefined;
}

/** Where that participant's page is filmed: the first of a trial, and of the look before. Undefined: it is not. */
export const filmFolder = ({ films }: Filming, nth: number): string | undefined => (nth === 0 ? films : undefined);

/** What the context of that participant is opened with. */
export async function filming(visit: Filming, nth: number): Promise<BrowserContextOptions> {
  const dir = filmFolder(visit, nth);
  if (dir === undefined) return {};
  // The driver would make it for everybody to read.
  await makeFolders(dir, { mode: 0o700 });
  return { recordVideo: { dir, ...how } };
}

/** The driver's names for films tell nothing. Once the context is closed; rejects where there is no film. */
export async function nameFilm(page: Page, name: string): Promise<void> {
  const path = await page.video()?.path();
  if (path !== undefined) await rename(path, join(dirname(path), `${name}.webm`));
}

/** Throws E_USAGE where a page cannot be opened because the driver has nothing to write films with, else the error. */
export function notFilmed(error: unknown): never {
  if (!/ffmpeg/i.test(String(error))) throw error;
  throw new LoadlineError('E_USAGE', 'No page can be filmed on this host.', {
    where: '--video',
    why: `Playwright writes films with an ffmpeg of its own, and says: ${firstWords(error)}`,
    todo: 'bring it with: npx playwright-core install ffmpeg',
    cause: error,
  });
}
