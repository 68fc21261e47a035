import { dirname } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { libraryPath } from '../../model/visited-page.js';
import type { JoinScript, Visit } from './join-script.js';
import { type Observed, observe } from './observe.js';

/** A module of the user's that joins by the app's own client library, in a page without the app's interface. */
export interface LibraryPage {
  /** For browsers, with all that it imports. */
  readonly code: string;
}

const html = `<!doctype html><meta charset="utf-8"><title>library</title><script>
globalThis.loadlineLibrary = (name) => import(${JSON.stringify(libraryPath)} + '?' + encodeURIComponent(name));
</script><body>`;

/** The page gets these variables alone: the app's code could read all others, too. */
const ofApp = /^APP_/;

/** Bundles the module, in JavaScript or TypeScript. Throws E_JOIN_SCRIPT if it cannot, or if `join` is missing. */
export async function bundledLibrary(path: string): Promise<LibraryPage> {
  // Loaded late: only those who visit with a library need it.
  const { build } = await import('esbuild');
  const made = await build({
    entryPoints: [path],
    absWorkingDir: dirname(path),
    outfile: 'library.js',
    write: false,
    bundle: true,
    minify: true,
    charset: 'utf8',
    platform: 'browser',
    format: 'esm',
    target: 'chrome120',
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw refused(path, messageOf(error));
  });
  const [output] = Object.values(made.metafile.outputs);
  if (!output?.exports.includes('join')) throw refused(path, 'it has no export "join"');
  return { code: made.outputFiles[0]?.text ?? '' };
}

type OnReading = Observed['onReading'];

/** The page of several who join by a library: each has a module of its own, and all share its sound and threads. */
export class LibraryHouse {
  private readonly guests = new Map<string, OnReading>();
  private opening: Promise<unknown> | undefined;
  private isLeft = false;

  private constructor(
    readonly page: Page,
    private readonly library: LibraryPage,
  ) {}

  /** Blank, and without anybody. */
  static async open(context: BrowserContext, library: LibraryPage, how: Observed): Promise<LibraryHouse> {
    const house = new LibraryHouse(await context.newPage(), library);
    const onReading: OnReading = (reading) => house.guests.get(reading.of ?? '')?.(reading) ?? 'each-second';
    await observe(house.page, { ...how, onReading });
    return house;
  }

  /** From now on what its connections do is told. False: the last one has left, and closed it. */
  enter(name: string, onReading: OnReading): boolean {
    if (this.page.isClosed() || this.isLeft) return false;
    this.guests.set(name, onReading);
    return true;
  }

  /** The first who joins opens it. */
  async goTo(address: string, timeout: number): Promise<void> {
    this.opening ??= (async () => {
      await serveLibrary(this.page, address, this.library);
      await this.page.goto(address, { waitUntil: 'domcontentloaded', timeout });
    })();
    await this.opening;
  }

  /** Closes what it has; the last one closes the page, and its context. */
  async leave(name: string): Promise<void> {
    this.guests.delete(name);
    this.isLeft = this.guests.size === 0;
    if (this.isLeft) return this.page.context().close();
    await this.page.evaluate((of) => (globalThis as unknown as LibraryGlobal).loadlineLeave(of), name);
  }
}

/** Answers for the app where its page would be: with ours, which loads the library. All else is the app's. */
async function serveLibrary(page: Page, address: string, { code }: LibraryPage): Promise<void> {
  const { origin, pathname, search } = new URL(address);
  const answer = { status: 200, headers: { 'cache-control': 'no-store' } };
  await page.route(
    (url) => url.href.split('#')[0] === `${origin}${pathname}${search}`,
    (route) => route.fulfill({ ...answer, contentType: 'text/html', body: html }),
  );
  await page.route(
    (url) => url.origin === origin && url.pathname === libraryPath,
    (route) => route.fulfill({ ...answer, contentType: 'text/javascript', body: code }),
  );
}

/** What joins in such a page: the module's `join`, and its `leave` where it has one. */
export const libraryScript: JoinScript = {
  join: (visit) => called(visit, 'join'),
  leave: (visit) => called(visit, 'leave'),
  lineOf: () => undefined,
  unset: () => [],
};

/** Runs in the page. */
interface LibraryGlobal {
  loadlineLibrary(name: string): Promise<Readonly<Record<string, ((given: unknown) => unknown) | undefined>>>;
  /** Of what observes: closes what a participant has. */
  loadlineLeave(name: string): void;
}

function called({ page, session, participant, role, index, user, env }: Visit, name: string): Promise<void> {
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => ofApp.test(key)));
  const given = { session, participant, role, index, user, env: own };
  return page.evaluate(
    async ([act, one]) => {
      const library = await (globalThis as unknown as LibraryGlobal).loadlineLibrary(one.participant);
      await library[act]?.(one);
    },
    [name, given] as const,
  );
}

function refused(path: string, why: string): LoadlineError {
  return new LoadlineError('E_JOIN_SCRIPT', 'The library module cannot be used.', {
    where: `--library ${path}`,
    why,
    todo: 'begin it with: export async function join({ session, participant, role, index, env }) { … }',
  });
}
