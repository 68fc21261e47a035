import type { ConsoleMessage, Page } from 'playwright-core';
import { within } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import { plainText } from '../../model/plain-text.js';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';
import type { FleetEvent } from '../../model/trial.js';
import type { HostCall, HostReply, PageSetup, PageTable, ProbeOrder } from '../page/wire.js';
import { errors } from './driver.js';

/** An origin that is a secure context without a network: every request to it is answered here. */
const origin = 'http://localhost/';
/** The page's worker runs the same script, and loads the encoded clip. */
const scriptUrl = `${origin}script`;
const clipUrl = `${origin}clip`;
const warmUpBoundMs = 15_000;
const maxLogs = 20;
const maxLogCharacters = 500;

interface PageHost {
  /** Answers every call of the page. Must not reject. */
  onCall(call: HostCall): Promise<HostReply | null>;
  onEvent(event: FleetEvent): void;
  onCrash(): void;
}

/** A page with camera and microphone open. Its calls to the page reject when the page is gone. */
export interface ProbePage {
  start(order: ProbeOrder): Promise<void>;
  candidate(probe: string, leg: string, candidate: IceCandidate): Promise<void>;
  renegotiate(probe: string, leg: string, offer: ServerOffer): Promise<string | null>;
  hangUp(probes: readonly string[]): Promise<void>;
  leave(): Promise<void>;
}

/** What replaces what cameras and microphones give. */
export interface SentClip {
  readonly clip: string;
  readonly lightVoice: boolean;
}

interface PageOptions {
  readonly index: number;
  /** The bundled page code. */
  readonly script: string;
  /** Path of the encoded clip, and which voice of it is sent; present when it replaces what the camera gives. */
  readonly encoded?: SentClip;
  readonly setup: PageSetup;
  readonly host: PageHost;
}

declare const loadlinePage: PageTable;

/** Loads the page code and opens the fake camera. Rejects with E_CHROMIUM_START when that does not work in 15 s. */
export async function openProbePage(page: Page, options: PageOptions): Promise<ProbePage> {
  const { host, index, script, encoded } = options;
  const parts = encoded && { script: scriptUrl, clip: clipUrl, lightVoice: encoded.lightVoice };
  const setup: PageSetup = { ...options.setup, ...(parts ? { encoded: parts } : {}) };
  page.on('crash', () => host.onCrash());
  forwardLogs(page, index, host);
  await page.exposeBinding('loadlineHost', (_source, call: HostCall) => host.onCall(call));
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url === origin) return route.fulfill({ contentType: 'text/html', body: html(script) });
    if (encoded && url === clipUrl) return route.fulfill({ path: encoded.clip });
    if (encoded && url === scriptUrl) return route.fulfill({ contentType: 'text/javascript', body: script });
    return route.abort('blockedbyclient');
  });
  try {
    await page.goto(origin, { timeout: warmUpBoundMs });
    await answered(
      warmUpBoundMs,
      page.evaluate((what) => loadlinePage.warmUp(what), setup),
    );
  } catch (error) {
    throw new LoadlineError('E_CHROMIUM_START', 'A page of Chromium did not get its fake camera and microphone.', {
      why: error instanceof Error ? error.message : String(error),
      todo: 'try another Chromium with --chromium PATH',
      cause: error,
    });
  }
  return {
    start: (order) => page.evaluate((what) => loadlinePage.start(what), order),
    candidate: (probe, leg, candidate) =>
      page.evaluate(([to, on, what]) => loadlinePage.candidate(to, on, what), [probe, leg, candidate] as const),
    renegotiate: (probe, leg, offer) =>
      page.evaluate(([to, on, what]) => loadlinePage.renegotiate(to, on, what), [probe, leg, offer] as const),
    hangUp: (probes) => page.evaluate((ids) => loadlinePage.hangUp(ids), probes),
    leave: () => page.evaluate(() => loadlinePage.leave()),
  };
}

/** `</script` inside the code would end it. */
const html = (script: string): string =>
  `<!doctype html><meta charset="utf-8"><title>probes</title><body><script>${script.replaceAll('</script', '<\\/script')}</script>`;

function forwardLogs(page: Page, index: number, host: PageHost): void {
  let count = 0;
  const log = (level: string, text: string): void => {
    count += 1;
    if (count > maxLogs) return;
    const shown = count === maxLogs ? `${text} (the last one that is shown of this page)` : text;
    host.onEvent({
      type: 'page-log',
      atMs: Date.now(),
      page: index,
      level,
      // Chromium quotes what it cannot read of a description, which is the server's.
      text: plainText(shown.slice(0, maxLogCharacters)),
    });
  };
  page.on('pageerror', (error) => log('error', error.stack ?? error.message));
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') log(message.type(), message.text());
  });
}

function answered<T>(ms: number, work: Promise<T>): Promise<T> {
  return within(ms, work, () => new errors.TimeoutError(`no answer in ${ms / 1000} s`));
}
