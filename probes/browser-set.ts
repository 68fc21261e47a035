import type { Media } from '../model/plan.js';
import type { TrialEvent } from '../model/trial.js';
import { type BrowserOptions, launchBrowser, type ProbeBrowser } from './browser.js';
import type { HostCall, NegotiateReply } from './page/wire.js';
import { openProbePage, type ProbePage } from './probe-page.js';

/** Pages that ended without having been closed: one that crashed, or all of a browser that went. */
export interface Loss {
  readonly kind: 'page' | 'browser';
  readonly browser: number;
  readonly pages: readonly number[];
}

export interface BrowserSetOptions {
  readonly browser: BrowserOptions;
  readonly pagesPerBrowser: number;
  /** The bundled page code. */
  readonly script: string;
  readonly media: Media;
  onCall(call: HostCall): Promise<NegotiateReply | null>;
  onEvent(event: TrialEvent): void;
  onLost(loss: Loss): void;
}

/** The browsers of one trial and their pages, numbered through. Nothing that is lost is started again. */
export class BrowserSet {
  private readonly options: BrowserSetOptions;
  private readonly launches: Promise<ProbeBrowser>[] = [];
  private readonly browsers: ProbeBrowser[] = [];
  private readonly pages = new Map<number, ProbePage>();
  private closing: Promise<void> | undefined;

  constructor(options: BrowserSetOptions) {
    this.options = options;
  }

  /** Resolves when every page has its camera open. Rejects with E_CHROMIUM_START; `close` then removes the rest. */
  async launch(browsers: number, pages: number): Promise<void> {
    const started = Array.from({ length: browsers }, (_, index) => this.launchOne(index, pages));
    await Promise.all(started);
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
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, boundMs);
    });
    const left = Promise.allSettled([...this.pages.values()].map((page) => page.leave()));
    await Promise.race([left, bound]);
    clearTimeout(timer);
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

  private async launchOne(index: number, pages: number): Promise<void> {
    const { pagesPerBrowser, browser: browserOptions } = this.options;
    const launch = launchBrowser(browserOptions);
    this.launches.push(launch);
    const browser = await launch;
    this.browsers.push(browser);
    const first = index * pagesPerBrowser;
    const last = Math.min(first + pagesPerBrowser, pages) - 1;
    const own = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
    browser.onExit(() => this.lose({ kind: 'browser', browser: index, pages: own }));
    for (const page of own) await this.openPage(browser, index, page, pages);
  }

  private async openPage(browser: ProbeBrowser, browserIndex: number, index: number, pages: number): Promise<void> {
    const { script, media, onCall, onEvent } = this.options;
    const opened = await openProbePage(await browser.newPage(), {
      index,
      script,
      setup: { media, tickPhaseMs: (1000 * index) / pages },
      host: {
        onCall,
        onEvent,
        onCrash: () => this.lose({ kind: 'page', browser: browserIndex, pages: [index] }),
      },
    });
    this.pages.set(index, opened);
  }

  private lose(loss: Loss): void {
    if (this.closing) return;
    for (const page of loss.pages) this.pages.delete(page);
    this.options.onLost(loss);
  }
}
