import type { Page } from 'playwright-core';
import { atMost, within } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import type { Media } from '../../model/plan.js';
import type { FleetEvent } from '../../model/trial.js';
import type { BrowserPlace } from '../layout.js';
import type { HostCall, HostReply } from '../page/wire.js';
import { errors } from './driver.js';
import { launchFlags } from './launch-flags.js';
import type { MediaFiles } from './media/media-files.js';
import type { ContextOrder } from './open-context.js';
import { type BrowserLife, openBrowser } from './opened-browser.js';
import { openProbePage, type ProbePage, type SentClip } from './probe-page.js';
import { type NotStarted, startBrowsers, startsAtOnce } from './start-browsers.js';

/** Pages that ended without having been closed: one that crashed, or all of a browser that went. */
export interface Loss {
  readonly kind: 'page' | 'browser';
  readonly browser: number;
  readonly pages: readonly number[];
}

interface BrowserSetOptions {
  readonly browser: Omit<BrowserOptions, 'files'>;
  /** Words that start a program inside a network. */
  readonly inside?: (network: string) => readonly string[];
  /** What the cameras and microphones of full probes play. */
  readonly files: MediaFiles;
  /** The same for probes whose frames are replaced, and the clip that replaces them; present when there are any. */
  readonly encoded?: SentClip & { readonly files: MediaFiles };
  /** The bundled page code. */
  readonly script: string;
  readonly media: Media;
  /** This host's, as marks name it. */
  readonly clock: number;
  /** The pages with somebody who sends. */
  readonly sendingPages: ReadonlySet<number>;
  onCall(call: HostCall): Promise<HostReply | null>;
  onEvent(event: FleetEvent): void;
  onLost(loss: Loss): void;
}

interface Pages {
  /** How many there are in all. */
  readonly count: number;
  readonly encoded: SentClip | undefined;
}

/** A browser whose pages are still being opened: what befalls it until then is a start that failed. */
interface Start {
  readonly browser: number;
  isUp: boolean;
  fell?: string;
}

/** The browsers of one trial and their pages, numbered through. What is lost once up is not started again. */
export class BrowserSet {
  private readonly options: BrowserSetOptions;
  private readonly launchBrowser: typeof launchBrowser;
  private readonly launches: Promise<ProbeBrowser>[] = [];
  private readonly browsers: ProbeBrowser[] = [];
  private readonly pages = new Map<number, ProbePage>();
  private closing: Promise<void> | undefined;

  constructor(options: BrowserSetOptions, launch = launchBrowser) {
    this.options = options;
    this.launchBrowser = launch;
  }

  /**
   * Starts them a few at a time, and resolves when every page that needs a camera has it open; with the browser that
   * did not come up where one did not (`start-browsers.ts`). Rejects with E_CHROMIUM_START. In both of these cases
   * `close` removes the rest.
   */
  launch(browsers: readonly BrowserPlace[], pages: number): Promise<NotStarted | undefined> {
    return startBrowsers(browsers.length, {
      atOnce: startsAtOnce,
      start: async (index) => {
        const place = browsers[index];
        if (place) await this.launchOne(index, place, pages);
      },
      onAgain: (index, why) => {
        const text = `Browser ${index} did not come up and is begun once more: ${why}`;
        this.options.onEvent({ type: 'warning', atMs: Date.now(), text });
      },
      isOver: () => this.closing !== undefined,
    });
  }

  roots(): ReadonlySet<number> {
    return new Set(this.browsers.flatMap((browser) => [...browser.roots]));
  }

  /** `undefined` when it crashed or was never there. */
  page(index: number): ProbePage | undefined {
    return this.pages.get(index);
  }

  /** Closes every connection; pages that do not answer within `boundMs` are left to `close`. */
  async leave(boundMs: number): Promise<void> {
    await atMost(boundMs, Promise.allSettled([...this.pages.values()].map((page) => page.leave())));
  }

  /** Ends all browsers, those that are just starting too. Idempotent, never rejects. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.pages.clear();
    const closed = this.launches.map((launch) => launch.then((browser) => browser.close()));
    await Promise.allSettled(closed);
  }

  private async launchOne(index: number, place: BrowserPlace, pages: number): Promise<void> {
    const { browser: browserOptions, files, encoded } = this.options;
    const { network } = place;
    const inside = network === undefined ? undefined : this.options.inside?.(network);
    const launch = this.launchBrowser({
      ...browserOptions,
      files: place.encoded && encoded ? encoded.files : files,
      // The server and full probes, who judge, are not to wait for encoded ones.
      yields: place.encoded === true,
      ...(inside ? { inside } : {}),
    });
    this.launches.push(launch);
    const browser = await launch;
    // Closed while it started: it is about to end, and a page of it would be opened for nobody.
    if (!this.closing)
      await this.open(browser, index, place, { count: pages, encoded: place.encoded ? encoded : undefined });
  }

  private async open(browser: ProbeBrowser, index: number, place: BrowserPlace, pages: Pages): Promise<void> {
    const start: Start = { browser: index, isUp: false };
    browser.onExit(() => this.fall(start, { kind: 'browser', browser: index, pages: place.pages }));
    try {
      for (const page of place.pages) await this.openPage(browser, start, page, pages);
      if (start.fell !== undefined) throw notUp(new Error(start.fell));
    } catch (error) {
      for (const page of place.pages) this.pages.delete(page);
      await browser.close();
      throw error;
    }
    start.isUp = true;
    this.browsers.push(browser);
  }

  private async openPage(browser: ProbeBrowser, start: Start, index: number, { count, encoded }: Pages): Promise<void> {
    const { script, media, clock, sendingPages, onCall, onEvent } = this.options;
    const opened = await openProbePage(await browser.newPage(), {
      index,
      script,
      ...(encoded === undefined ? {} : { encoded }),
      setup: { media, clock, tickPhaseMs: (1000 * index) / count, sends: sendingPages.has(index) },
      host: {
        onCall,
        onEvent,
        onCrash: () => this.fall(start, { kind: 'page', browser: start.browser, pages: [index] }),
      },
    });
    this.pages.set(index, opened);
  }

  private fall(start: Start, loss: Loss): void {
    if (start.isUp) this.lose(loss);
    else start.fell = `its ${loss.kind} ended while it started`;
  }

  private lose(loss: Loss): void {
    if (this.closing) return;
    for (const page of loss.pages) this.pages.delete(page);
    this.options.onLost(loss);
  }
}

const pageBoundMs = 15_000;

interface BrowserOptions extends Omit<ContextOrder, 'flags' | 'headed'> {
  readonly files: MediaFiles;
  /** SHA-256 of a public key (base64) that is accepted although nobody vouches for it. */
  readonly trustedKey?: string;
}

/** One Chromium with a profile of its own. */
export interface ProbeBrowser extends BrowserLife {
  /** Rejects with E_CHROMIUM_START when there is none in 15 s. */
  newPage(): Promise<Page>;
}

/** Starts a headless Chromium. Rejects with E_CHROMIUM_START and what was seen; then nothing is left behind. */
async function launchBrowser(options: BrowserOptions): Promise<ProbeBrowser> {
  const { files, trustedKey, ...place } = options;
  const flags = launchFlags(files, trustedKey === undefined ? [] : [trustedKey]).map(({ flag }) => flag);
  const { context, life } = await openBrowser({ ...place, flags });
  return {
    ...life,
    newPage: () =>
      within(pageBoundMs, context.newPage(), () => new errors.TimeoutError(`no page in ${pageBoundMs / 1000} s`)).catch(
        (error: unknown) => {
          throw notUp(error);
        },
      ),
  };
}

/** A browser that runs, but not as probes need it. */
function notUp(error: unknown): LoadlineError {
  const why = error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  return new LoadlineError('E_CHROMIUM_START', 'Chromium does not come up with its pages.', { why, cause: error });
}
