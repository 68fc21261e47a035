import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { given } from '../../model/given.js';
import { someAddress, type VisitPlan } from '../../model/visit.js';
import type { VisitSettings } from '../page/visit/wire.js';
import { addressOf, type Visitor } from './address.js';
import { type AppWords, unheardWords } from './app-words.js';
import { type JoinScript, loadJoinScript } from './join-script.js';
import { bundledLibrary, type LibraryPage, libraryScript } from './library-page.js';
import { type BrowserState, LogIns } from './log-ins.js';
import { withoutSecretsOf } from './page-diary.js';
import type { PageTraces } from './page-traces.js';
import type { StuckEnding } from './script-watch.js';
import { contextOptions, type JoinOrder } from './visited-page.js';

/** Which app is visited, and how. */
export interface VisitOrder extends Pick<VisitPlan, 'join' | 'library' | 'users' | 'block' | 'painted' | 'encoded'> {
  /** With places: "https://meet.example/{session}?name={participant}". */
  readonly url: string;
  /** For the join script; what it holds is stored nowhere. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who logs in, kept for as long as the command runs; absent: one identity, for this order alone. */
  readonly logIns?: LogIns;
  /** SHA-256 of public keys (base64) that the browser takes without asking who vouches for them. */
  readonly trustedKeys?: readonly string[];
  /** Where traces of pages that fail are kept; absent: nowhere. */
  readonly traces?: PageTraces;
  /** The folder in which the first page of a trial is filmed; absent: it is not. */
  readonly films?: string;
  /** Tells the rooms of a trial from those of others; absent: drawn. */
  readonly trial?: string;
  /** What becomes of a join script that never gives way; absent: it holds up everything. */
  readonly ending?: StuckEnding;
}

/** What is known of an app before a browser starts: who logs in, and which keys prove who it is. */
export type AppAccess = Required<Pick<VisitOrder, 'logIns' | 'trustedKeys'>> &
  Pick<VisitOrder, 'traces' | 'films'> & {
    /** The same on another host: it visits the same, in the same way. */
    readonly digest: string;
  };

/** How one visitor joins. What the script tells is checked, and kept where there is a `words`. */
interface Given {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly words?: AppWords;
}

/** All that the pages of one trial need. */
export interface ReadyVisit {
  /** The bundled code that observes, and how it does in all pages. */
  readonly observer: string;
  readonly settings: Pick<VisitSettings, 'plays' | 'pictures'>;
  /** The address of the app, with places. */
  readonly url: string;
  readonly block: readonly string[];
  readonly painted: boolean;
  /** Pictures are neither decoded nor, once they are recorded, encoded. */
  readonly encoded: boolean;
  readonly clean: (text: string) => string;
  readonly script: JoinScript;
  readonly env: VisitOrder['env'];
  readonly logIns: LogIns;
  readonly trustedKeys: readonly string[];
  readonly traces: PageTraces | undefined;
  readonly films: string | undefined;
  /** Stands in for the app's page; undefined: that is opened. */
  readonly library: LibraryPage | undefined;
  /** What a page's context is opened with, logged in where it is given a state. */
  contextOf(state?: BrowserState): BrowserContextOptions;
  /**
   * `participant` says who visits, and `nth` which of the trial's participants that is, from 0; the session gets a name
   * that no other trial has.
   */
  orderFor(visitor: Visitor, nth: number, given: Given): JoinOrder;
}

/** Rejects with E_JOIN_SCRIPT. */
export async function readyVisit(order: VisitOrder, observerPath?: string): Promise<ReadyVisit> {
  const {
    url,
    env,
    block = [],
    painted = false,
    encoded = false,
    ending,
    logIns = new LogIns(),
    trustedKeys = [],
  } = order;
  const library = order.library === undefined ? undefined : await bundledLibrary(order.library);
  const script = library ? libraryScript : await loadJoinScript(order.join, ending);
  const path = observerPath ?? fileURLToPath(new URL('visit.js', import.meta.url));
  const observer = await readFile(path, 'utf8');
  const pictures = encoded ? await readFile(join(dirname(path), 'visit-worker.js'), 'utf8') : undefined;
  const { trial = randomBytes(3).toString('hex') } = order;
  const clean = withoutSecretsOf(env);
  // Chromium takes a page that no server gave for one of the public network, which may reach no local one unasked.
  const permissions = [...contextOptions.permissions, ...(library ? ['local-network-access'] : [])];
  // Else an app's own policy might forbid the worker.
  const common = {
    ...contextOptions,
    permissions,
    bypassCSP: encoded,
    baseURL: someAddress(url).origin,
    ...httpLogin(url, env),
  };
  return {
    observer,
    settings: given({ plays: library && (true as const), pictures }),
    block,
    painted,
    encoded,
    clean: (text) => clean(logIns.clean(text)),
    ...{ url, script, env, logIns, trustedKeys, library, traces: order.traces, films: order.films },
    contextOf: (storageState) => ({ ...common, ...(storageState ? { storageState } : {}) }),
    orderFor: (named, nth, { deadlineMs, signal, words = unheardWords() }) => {
      const visitor = { ...named, session: `loadline-${trial}-${named.session}` };
      const visit = { ...visitor, ...words, env, user: logIns.userOf(nth), signal };
      return { address: addressOf(url, visitor), script, visit, deadlineMs };
    },
  };
}

/** For HTTP authentication, told to the app's own origin alone. */
function httpLogin(url: string, env: VisitOrder['env']): BrowserContextOptions {
  const { LOADLINE_APP_USER: username = '', LOADLINE_APP_PASSWORD: password = '' } = env;
  return username === '' ? {} : { httpCredentials: { username, password, origin: someAddress(url).origin } };
}
