import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { test as base } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { type MediaFiles, mediaFiles } from '../../probes/chromium/media/media-files.js';
import type { FrameReading, VisitSettings } from '../../probes/page/visit/wire.js';
import { type JoinScript, loadJoinScript } from '../../probes/visit/join-script.js';
import { type PageReading, PageReadings } from '../../probes/visit/page-readings.js';
import type { PlacedConnection } from '../../probes/visit/stream-slots.js';
import { VisitedPage } from '../../probes/visit/visited-page.js';
import { launchVisitingBrowser, type VisitingBrowser } from '../../probes/visit/visiting-browser.js';
import { bundleObserver, bundlePicturesWorker } from '../bundled-scripts.js';
import type { LocalSite } from '../local-site.js';
import { aVisit } from './a-visit.js';
import { startApp } from './app-page.js';

export interface VisitStage {
  readonly app: LocalSite;
  readonly browser: VisitingBrowser;
  readonly chromiumPath: string;
  readonly cacheFolder: string;
  /** The bundled observer. */
  readonly observerPath: string;
  /** The bundled worker, beside it. */
  readonly picturesPath: string;
  /** A page that is observed; closed after the scene. */
  visiting(path: string, scene: (visit: Visiting) => Promise<void>, how?: VisitedHow): Promise<void>;
}

/** Absent: no script, and it goes out of view once it is open. */
interface VisitedHow {
  readonly painted?: boolean;
  readonly script?: JoinScript;
  readonly settings?: Pick<VisitSettings, 'relay' | 'pictures'>;
}

export interface Visiting {
  readonly visited: VisitedPage;
  /** Whole readings of the page, in order. */
  readonly readings: readonly PageReading[];
  readonly frames: readonly FrameReading[];
  crashed(): boolean;
  /** What the page has now. */
  connections(): readonly PlacedConnection[];
}

/** Tests with one real Chromium for all of a worker, and an app that calls itself. */
export const test = base.extend<object, { stage: VisitStage }>({
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here the names of the fixtures that are needed
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'loadline-visit-test-'));
      // For the user that browsers of root run as.
      await chmod(folder, 0o711);
      const found = await findChromium({ env });
      if (!found) throw new Error('these tests need a Chromium');
      const observerPath = await bundleObserver(join(folder, 'visit.js'));
      const picturesPath = await bundlePicturesWorker(join(folder, 'visit-worker.js'));
      const cacheFolder = join(folder, 'cache');
      const files = await openToAll(cacheFolder);
      const app = await startApp();
      const browser = await launchVisitingBrowser({ chromiumPath: found.path, files, temporaryRoot: folder });
      const visiting: VisitStage['visiting'] = (path, scene, how) =>
        play({ app, browser, observerPath }, path, scene, how);
      await use({ app, browser, chromiumPath: found.path, cacheFolder, observerPath, picturesPath, visiting });
      await browser.close();
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

async function openToAll(cacheFolder: string): Promise<MediaFiles> {
  const files = await mediaFiles(cacheFolder, mediaSchema.parse({ width: 320, height: 180 }));
  await chmod(cacheFolder, 0o755);
  for (const file of [files.camera, files.microphone]) await chmod(file, 0o644);
  return files;
}

async function play(
  { app, browser, observerPath }: Pick<VisitStage, 'app' | 'browser' | 'observerPath'>,
  path: string,
  scene: (visit: Visiting) => Promise<void>,
  { painted, script: given, settings }: VisitedHow = {},
): Promise<void> {
  const readings: PageReading[] = [];
  const frames: FrameReading[] = [];
  const collected = new PageReadings((reading) => readings.push(reading));
  let connections: readonly PlacedConnection[] = [];
  let hasCrashed = false;
  const visited = await VisitedPage.open({
    context: await browser.newContext(),
    script: await readFile(observerPath, 'utf8'),
    settings: { phaseMs: 0, ...settings },
    ...(painted ? { painted } : {}),
    clean: (text) => text,
    onReading: (reading) => {
      frames.push(reading);
      connections = collected.take(reading);
      return 'soon';
    },
    onCrash: () => {
      hasCrashed = true;
    },
  });
  try {
    const script = given ?? (await loadJoinScript(undefined));
    await visited.join({ address: `${app.origin}${path}`, script, visit: aVisit(), deadlineMs: 10_000 });
    await scene({ visited, readings, frames, crashed: () => hasCrashed, connections: () => connections });
  } finally {
    collected.close();
    await visited.leave();
  }
}
