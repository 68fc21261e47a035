import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { LoadlineError } from '../../model/errors.js';
import { firstWords } from './first-words.js';

/** Half of a page's width, and enough to see what stands still: a film is made beside what is measured. */
const how = { size: { width: 640, height: 360 }, fps: 10 } as const;

/** What the context of that participant is opened with: the first of a trial, and of the look before, is filmed. */
export async function filming(
  { films }: { readonly films: string | undefined },
  nth: number,
): Promise<BrowserContextOptions> {
  if (nth > 0 || films === undefined) return {};
  // The driver would make it for everybody to read.
  await mkdir(films, { recursive: true, mode: 0o700 });
  return { recordVideo: { dir: films, ...how } };
}

/** The driver names films by no name that tells anything. Once the context is closed; rejects where there is no film. */
export async function nameFilm(page: Page, name: string): Promise<void> {
  const path = await page.video()?.path();
  if (path !== undefined) await rename(path, join(dirname(path), `${name}.webm`));
}

/** Of a page that cannot be opened: throws E_USAGE where the driver has nothing to write films with. */
export function notFilmed(error: unknown): never {
  if (!/ffmpeg/i.test(String(error))) throw error;
  throw new LoadlineError('E_USAGE', 'No page can be filmed on this host.', {
    where: '--video',
    why: `Playwright writes films with an ffmpeg of its own, and says: ${firstWords(error)}`,
    todo: 'bring it with: npx playwright-core install ffmpeg',
    cause: error,
  });
}
