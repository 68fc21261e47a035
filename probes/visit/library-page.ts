import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { LoadlineError, messageOf } from '../../model/errors.js';
import type { JoinScript, Visit } from './join-script.js';

/** A module of the user's that joins by the app's own client library, in a page without the app's interface. */
export interface LibraryPage {
  /** For browsers, with all that it imports. */
  readonly code: string;
}

const codePath = '/loadline-library.js';
const html = `<!doctype html><meta charset="utf-8"><title>library</title><script>
globalThis.loadlineLibrary = import(${JSON.stringify(codePath)});
</script><body>`;

/** The page gets these variables alone: the app's code could read all others, too. */
const ofApp = /^APP_/;

/** Bundles the module, in JavaScript or TypeScript. Throws E_JOIN_SCRIPT: it cannot be bundled, or exports no `join`. */
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

/** Answers for the app where its page would be: with ours, which loads the library. All else is the app's. */
export async function serveLibrary(page: Page, address: string, { code }: LibraryPage): Promise<void> {
  const { origin, pathname, search } = new URL(address);
  const answer = { status: 200, headers: { 'cache-control': 'no-store' } };
  await page.route(
    (url) => url.href.split('#')[0] === `${origin}${pathname}${search}`,
    (route) => route.fulfill({ ...answer, contentType: 'text/html', body: html }),
  );
  await page.route(
    (url) => url.href === `${origin}${codePath}`,
    (route) => route.fulfill({ ...answer, contentType: 'text/javascript', body: code }),
  );
}

/** What joins in such a page: the module's `join`, and its `leave` where it has one. */
export const libraryScript: JoinScript = {
  join: (visit) => called(visit, 'join'),
  leave: (visit) => called(visit, 'leave'),
  lineOf: () => undefined,
};

/** Runs in the page. */
interface LibraryGlobal {
  readonly loadlineLibrary: Promise<Readonly<Record<string, ((given: unknown) => unknown) | undefined>>>;
}

function called({ page, session, participant, role, index, user, env }: Visit, name: string): Promise<void> {
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => ofApp.test(key)));
  const given = { session, participant, role, index, user, env: own };
  return page.evaluate(
    async ([act, one]) => {
      const library = await (globalThis as unknown as LibraryGlobal).loadlineLibrary;
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
