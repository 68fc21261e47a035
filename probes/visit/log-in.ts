import type { BrowserContext } from 'playwright-core';
import { atMost } from '../../host/bounded-wait.js';
import { shortText } from '../../model/plain-text.js';
import { firstWords } from './first-words.js';
import type { BrowserState } from './log-ins.js';
import { filming } from './page-film.js';
import type { ReadyVisit } from './visit-order.js';
import type { VisitingBrowser } from './visiting-browser.js';

const boundMs = 30_000;
/** So many log in at a time. */
const atOnce = 4;
const detailCharacters = 500;

/**
 * Logs these participants of a trial in, before anybody joins: each identity once. Returns what went wrong, a sentence
 * part; never rejects but for the abort.
 */
export async function logAllIn(
  visit: ReadyVisit,
  browser: VisitingBrowser,
  places: readonly number[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!visit.script.prepare) return undefined;
  for (let from = 0; from < places.length; from += atOnce) {
    signal.throwIfAborted();
    const some = places.slice(from, from + atOnce);
    const told = await Promise.all(some.map((nth) => logIn(visit, browser, nth, signal)));
    const failed = told.find((text) => text !== undefined);
    if (failed !== undefined) return failed;
  }
  return undefined;
}

async function logIn(visit: ReadyVisit, browser: VisitingBrowser, nth: number, signal: AbortSignal) {
  const name = visit.logIns.nameOf(nth);
  const words = (text: string): string =>
    shortText(visit.clean([`${name} cannot log in: ${text}`, ...visit.script.unset()].join('; ')), detailCharacters);
  try {
    await visit.logIns.stateOf(nth, () => stateAfter(visit, browser, nth, signal));
    return undefined;
  } catch (error) {
    const line = visit.script.lineOf(error);
    return words(`${line === undefined ? '' : `at ${line}, `}${firstWords(error)}`);
  }
}

async function stateAfter(
  { script, logIns, contextOf, env }: ReadyVisit,
  browser: VisitingBrowser,
  nth: number,
  signal: AbortSignal,
): Promise<BrowserState> {
  const context = await browser.newContext(contextOf());
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(boundMs * 0.9);
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    const given = { page, user: logIns.userOf(nth), env, signal };
    const done = (async () => script.prepare?.(given, logIns.nameOf(nth), boundMs))();
    const waited = await atMost(boundMs, done);
    if (!waited.inTime) throw new Error(`prepare has not returned in ${boundMs / 1000} s`);
    // What some apps keep in IndexedDB cannot be copied: keys of Web Crypto.
    return await context.storageState({ indexedDB: true }).catch(() => context.storageState());
  } finally {
    await context.close().catch(() => undefined);
  }
}

/** The context of one participant's page, logged in where its script logs in. */
export async function contextFor(visit: ReadyVisit, browser: VisitingBrowser, nth: number): Promise<BrowserContext> {
  const state = await visit.logIns.knownOf(nth);
  return browser.newContext({ ...visit.contextOf(state), ...(await filming(visit, nth)) });
}
