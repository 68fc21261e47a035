import type { BrowserContext, Page } from 'playwright-core';
import { atMost } from '../../host/bounded-wait.js';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { shortText } from '../../model/plain-text.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import { errors } from '../chromium/driver.js';
import type { VisitSettings } from '../page/visit/wire.js';
import { firstWords } from './first-words.js';
import type { JoinScript, Visit } from './join-script.js';
import type { LibraryHouse } from './library-page.js';
import { measureCalls } from './measure-calls.js';
import { type Observed, observe } from './observe.js';
import { PageDiary } from './page-diary.js';
import { nameFilm, notFilmed } from './page-film.js';
import type { PageTrace, PageTraces } from './page-traces.js';
import { PageView } from './page-view.js';

/** Of the time that it has to join: what a script waits for in vain is then named before the time is up. */
const waitShare = 0.9;
const detailCharacters = 500;
const pictureBoundMs = 3_000;
const leaveBoundMs = 2_000;
/** A `measure` that does not give way for so long holds all others up. */
const measureBoundMs = 5_000;
const viewport = { width: 1280, height: 720 } as const;

interface VisitedPageOptions extends Observed {
  /** A browser context of its own, with nothing open. */
  readonly context: BrowserContext;
  /** True: it goes on being painted once it has joined. */
  readonly painted?: boolean;
  /** Whose page it is, of those in a house. */
  readonly name?: string;
  /** Stands in for the app's page, for several; absent: the page is the app's own. */
  readonly house?: LibraryHouse | undefined;
  /** Where it is traced until it is up; absent: nowhere. */
  readonly traces?: PageTraces | undefined;
  /** Takes secrets out of what the page says. */
  readonly clean: (text: string) => string;
  onCrash(): void;
  /** The script's `measure` threw or did not return, for the first time; a sentence part. */
  onUnmeasured?(why: string): void;
}

export interface PageFailure {
  readonly code: ProbeFailureCode;
  /** A sentence part with what was seen. */
  readonly detail: string;
}

export interface JoinOrder extends Pick<VisitSettings, 'relay'> {
  readonly address: string;
  readonly script: JoinScript;
  readonly visit: Omit<Visit, 'page'>;
  readonly deadlineMs: number;
}

/** What a context of a visitor is opened with. */
export const contextOptions = { viewport, permissions: ['camera', 'microphone'] };

/** One participant's page of the app. Closing the context closes it. */
export class VisitedPage {
  readonly page: Page;
  private readonly diary: PageDiary;
  private readonly options: VisitedPageOptions;
  /** Absent where the page stays in it. */
  private readonly view: PageView | undefined;
  private order: JoinOrder | undefined;
  private trace: PageTrace | undefined;
  private leaving: Promise<void> | undefined;

  private constructor(page: Page, view: PageView | undefined, options: VisitedPageOptions) {
    this.page = page;
    this.view = view;
    this.options = options;
    this.diary = new PageDiary(page, options.clean);
    page.on('crash', () => options.onCrash());
  }

  /** A blank page that observes whatever it opens. */
  static async open(options: VisitedPageOptions): Promise<VisitedPage> {
    const { context, house } = options;
    if (!house) await observe(context, options);
    const page = house?.page ?? (await context.newPage().catch(notFilmed));
    return new VisitedPage(page, options.painted ? undefined : await PageView.of(page), options);
  }

  /** Opens the address and runs the join script. Resolves with what went wrong; never rejects. */
  async join(order: JoinOrder): Promise<PageFailure | undefined> {
    const { address, script, visit, deadlineMs } = order;
    this.order = order;
    this.trace = await this.options.traces?.begin(this.options.context).catch(() => undefined);
    const endsMs = performance.now() + deadlineMs;
    this.page.setDefaultTimeout(deadlineMs * waitShare);
    const failure = await this.goTo(address, deadlineMs * waitShare);
    if (failure) return failure;
    try {
      const work = (async () => script.join({ ...visit, page: this.page }, deadlineMs))();
      const waited = await atMost(Math.max(0, endsMs - performance.now()), work);
      if (!waited.inTime) return this.scriptFailure(script, `has not returned in ${deadlineMs / 1000} s`);
      const failure = await this.goOutOfView();
      if (!failure) void this.measure(order);
      return failure;
    } catch (error) {
      return this.scriptFailure(script, thrown(script, error));
    }
  }

  /** Until it leaves. */
  private async measure({ script, visit }: JoinOrder): Promise<void> {
    const { measure } = script;
    if (!measure) return;
    const { clean, onUnmeasured } = this.options;
    await measureCalls({
      measure: () => measure({ ...visit, page: this.page }, measureBoundMs),
      isOver: () => this.leaving !== undefined,
      onFailed: (why) => onUnmeasured?.(clean(why)),
      thrown: (error) => thrown(script, error),
    });
  }

  /** Where the page is, where that tells something: it was sent elsewhere, or it shows a dialog or a log-in. */
  async whereabouts(address: string): Promise<string> {
    const { page, diary } = this;
    const asks = await atMost(
      1_000,
      page
        .locator('input[type=password]:visible')
        .count()
        .catch(() => 0),
    );
    // What Chromium shows in place of a page that it could not open is nowhere.
    const isElsewhere = !page.url().startsWith('chrome-error:') && pathOf(page.url()) !== pathOf(address);
    const parts = [
      ...(isElsewhere ? [`it is at ${this.options.clean(page.url())}`] : []),
      ...(asks.inTime && asks.value > 0 ? ['it asks for a password'] : []),
      ...(diary.dialog === undefined ? [] : [`it showed a ${diary.dialog}`]),
    ];
    return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
  }

  /** What it shows and what it said. What cannot be had is left out; never rejects. */
  async keep(probe: string): Promise<ProbeArtifacts> {
    const picture = await this.picture();
    const trace = await this.trace?.keep(`${this.order?.visit.session}-${probe}`);
    const texts = [
      ...(this.diary.text === '' ? [] : [{ name: 'console', text: this.diary.text }]),
      ...(trace === undefined ? [] : [{ name: 'trace', text: trace }]),
    ];
    const data = picture && `data:image/jpeg;base64,${picture.toString('base64')}`;
    return { probe, atMs: Date.now(), texts, ...(data ? { picture: data } : {}) };
  }

  /** It is up: what it does from now on is measured, and not traced. */
  async isUp(): Promise<void> {
    await this.trace?.drop();
  }

  /** A JPEG of what it shows. */
  async picture(): Promise<Buffer | undefined> {
    await this.view?.bringBack().catch(() => undefined);
    const picture = await this.screenshot();
    // Who leaves needs it where the script's clicks find it.
    if (!this.leaving) await this.view?.takeAway().catch(() => undefined);
    return picture;
  }

  private async screenshot(): Promise<Buffer | undefined> {
    const taken = this.page.screenshot({ type: 'jpeg', quality: 60, scale: 'css', timeout: pictureBoundMs });
    const waited = await atMost(pictureBoundMs, taken).catch(() => undefined);
    return waited?.inTime ? waited.value : undefined;
  }

  /** Leaves as the script says, then closes the page and its connections. Idempotent, never rejects. */
  leave(): Promise<void> {
    this.leaving ??= this.leaveOnce();
    return this.leaving;
  }

  private async leaveOnce(): Promise<void> {
    const { script, visit, deadlineMs = leaveBoundMs } = this.order ?? {};
    if (script?.leave && visit) {
      const left = (async () => {
        await this.view?.bringBack();
        await script.leave?.({ ...visit, page: this.page }, deadlineMs);
      })();
      await atMost(
        leaveBoundMs,
        left.then(() => undefined),
      ).catch(() => undefined);
    }
    const { house, name = '', context } = this.options;
    await (house ? house.leave(name) : context.close()).catch(() => undefined);
    if (visit) await nameFilm(this.page, `${visit.session}-${name}`).catch(() => undefined);
  }

  /** From now on nobody looks at it. */
  private async goOutOfView(): Promise<PageFailure | undefined> {
    try {
      await this.view?.takeAway();
      return undefined;
    } catch (error) {
      return this.failure('page-error', `the page cannot be taken out of view: ${firstWords(error)}`);
    }
  }

  private async goTo(address: string, timeout: number): Promise<PageFailure | undefined> {
    const { house } = this.options;
    try {
      if (house) {
        await house.goTo(address, timeout);
        return undefined;
      }
      const response = await this.page.goto(address, { waitUntil: 'domcontentloaded', timeout });
      const status = response?.status() ?? 200;
      if (status < 400) return undefined;
      return this.failure('page-not-opened', `the page answers ${status} ${response?.statusText() ?? ''}`.trim());
    } catch (error) {
      if (error instanceof errors.TimeoutError)
        return this.failure('page-not-opened', `the page has not been loaded in ${timeout / 1000} s`);
      return this.failure('page-not-opened', `the page cannot be opened: ${firstWords(error)}`);
    }
  }

  private scriptFailure({ unset }: JoinScript, what: string): PageFailure {
    return this.failure('join-script', [`the join script ${what}`, ...unset()].join('; '));
  }

  private failure(code: ProbeFailureCode, detail: string): PageFailure {
    return { code, detail: shortText(this.options.clean(detail), detailCharacters) };
  }
}

function pathOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url ? `${url.origin}${url.pathname}` : address;
}

/** "threw at join.mjs:12: no room" */
function thrown(script: JoinScript, error: unknown): string {
  const line = script.lineOf(error);
  return `threw${line === undefined ? '' : ` at ${line}`}: ${firstWords(error)}`;
}
