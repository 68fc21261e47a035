import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { LoadlineError } from '../../model/errors.js';
import type { Media } from '../../model/plan.js';
import type { StreamSample } from '../../model/sample.js';
import type { MediaKind } from '../../model/scenario.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import { readableClips } from '../chromium/readable-clips.js';
import type { FrameReading, NextLook } from '../page/visit/wire.js';
import type { Visitor } from './address.js';
import { clockUntil, whatStillChanges } from './calm.js';
import { LibraryHouse } from './library-page.js';
import { contextFor, logAllIn } from './log-in.js';
import { type PageReading, PageReadings } from './page-readings.js';
import type { PlacedConnection } from './stream-slots.js';
import { readyVisit, type VisitOrder } from './visit-order.js';
import { type PageFailure, VisitedPage } from './visited-page.js';
import { launchVisitingBrowser } from './visiting-browser.js';

interface LookOptions {
  readonly order: VisitOrder;
  readonly visitors: readonly Visitor[];
  readonly chromiumPath: string;
  readonly cacheFolder: string;
  readonly media: Media;
  readonly deadlineMs: number;
  readonly pauseMs: number;
  readonly headed?: boolean;
  /** True: a picture of each page is taken at the end. */
  readonly pictures?: boolean;
  readonly signal: AbortSignal;
  /** Absent: beside the bundle that runs. */
  readonly observerPath?: string;
}

/** What one visitor had in the last second. */
export interface Seen {
  readonly visitor: Visitor;
  readonly connections: readonly PlacedConnection[];
  readonly intervalMs: number;
  /** Why pictures cost what they always do, where they should not. */
  readonly unspared: readonly string[];
  readonly picture?: Buffer;
  /** What flowed had not come to rest when it was looked at no longer. */
  readonly stillChanges?: true;
  /** What the join script read of the environment that is not set; a sentence part each. */
  readonly unset?: readonly string[];
  /** Present when it did not join; then the rest is what there was. */
  readonly failure?: PageFailure & { readonly kept: ProbeArtifacts };
}

/** Streams of one direction over which something went in the last second. */
export function flowing(
  { connections }: Pick<Seen, 'connections'>,
  direction: 'send' | 'receive',
): readonly StreamSample[] {
  return connections.flatMap(({ streams }) =>
    streams.flatMap(({ sample, wanted }) => {
      if (!sample || sample.direction !== direction || !wanted) return [];
      const packets = sample.direction === 'send' ? sample.metrics.packetsSent : sample.metrics.packetsReceived;
      return (packets ?? 0) > 0 ? [sample] : [];
    }),
  );
}

export function countOf(streams: readonly StreamSample[], kind: MediaKind): number {
  return streams.filter((one) => one.kind === kind).length;
}

class Watched {
  readonly readings: PageReadings;
  last: PageReading | undefined;
  changedMs = performance.now();
  unspared: readonly string[] = [];
  private shape = '';

  constructor(readonly visitor: Visitor) {
    this.readings = new PageReadings((reading) => this.note(reading));
  }

  take(reading: FrameReading): NextLook {
    this.readings.take(reading);
    if (reading.unspared.length > 0) this.unspared = reading.unspared;
    return 'each-second';
  }

  private note(reading: PageReading): void {
    this.last = reading;
    const all = [...flowing(reading, 'send'), ...flowing(reading, 'receive')];
    const shape = all
      .map(({ direction, kind }) => `${direction} ${kind}`)
      .sort()
      .join();
    if (shape !== this.shape) this.changedMs = performance.now();
    this.shape = shape;
  }
}

/**
 * Has everybody of one session visit the app, one after the other, and looks until what flows has not changed for a
 * while. Rejects with E_CHROMIUM_START and E_JOIN_SCRIPT; a visitor who does not join ends the look, and is told as
 * such.
 */
export async function lookAtSession(options: LookOptions): Promise<readonly Seen[]> {
  const { chromiumPath, cacheFolder, media, headed, signal, visitors, deadlineMs } = options;
  const visit = await readyVisit(options.order, options.observerPath);
  const clips = await readableClips(await mediaFiles(cacheFolder, media), chromiumPath, tmpdir());
  const browser = await launchVisitingBrowser({
    chromiumPath,
    temporaryRoot: tmpdir(),
    files: clips.files,
    app: visit,
    ...(headed ? { headed } : {}),
  });
  const watched = visitors.map((visitor) => new Watched(visitor));
  const pages: VisitedPage[] = [];
  try {
    const failed = await logAllIn(visit, browser, [...watched.keys()], signal);
    if (failed !== undefined) throw notLoggedIn(failed);
    let house: LibraryHouse | undefined;
    for (const [nth, one] of watched.entries()) {
      signal.throwIfAborted();
      const context = house?.page.context() ?? (await contextFor(visit, browser, nth));
      const how = {
        script: visit.observer,
        settings: { phaseMs: (1000 * nth) / watched.length, ...visit.settings },
        block: visit.block,
        onReading: (reading: FrameReading) => one.take(reading),
      };
      house ??= visit.library && (await LibraryHouse.open(context, visit.library, how));
      house?.enter(one.visitor.participant, how.onReading);
      const page = await VisitedPage.open({
        ...{ ...how, context, house, name: one.visitor.participant },
        // As a person sees it: an app to which that made a difference would not do in a trial what it did here.
        painted: true,
        ...{ clean: visit.clean, traces: visit.traces },
        onCrash: () => undefined,
      });
      pages.push(page);
      const order = visit.orderFor(one.visitor, nth, { deadlineMs, signal });
      const failure = await unlessAborted(signal, page.join(order));
      if (failure) return [await notJoined(one, page, failure, order.address)];
      await sleep(options.pauseMs, undefined, { signal });
    }
    const changing = new Set(await whatStillChanges(watched, clockUntil(signal)));
    const unset = visit.script.unset();
    return await Promise.all(
      watched.map(async (one, nth) => {
        const seen = await seenBy(one, options.pictures ? pages[nth] : undefined);
        return { ...seen, unset, ...(changing.has(one) ? { stillChanges: true } : {}) };
      }),
    );
  } finally {
    for (const { readings } of watched) readings.close();
    await Promise.all(pages.map((page) => page.leave()));
    await browser.close();
    await clips.close();
  }
}

async function seenBy({ visitor, last, unspared }: Watched, page: VisitedPage | undefined): Promise<Seen> {
  const picture = await page?.picture();
  return {
    visitor,
    unspared,
    connections: last?.connections ?? [],
    intervalMs: last?.sinceMs === undefined ? 1000 : last.atMs - last.sinceMs,
    ...(picture ? { picture } : {}),
  };
}

async function notJoined(
  one: Watched,
  page: VisitedPage,
  { code, detail }: PageFailure,
  address: string,
): Promise<Seen> {
  const kept = await page.keep(one.visitor.participant);
  const where = await page.whereabouts(address).catch(() => '');
  return { ...(await seenBy(one, page)), failure: { code, detail: `${detail}${where}`, kept } };
}

function notLoggedIn(why: string): LoadlineError {
  return new LoadlineError('E_JOIN_SCRIPT', 'The join script cannot log in.', {
    where: '--join, prepare',
    why,
    todo: 'correct prepare; loadline visit --headed shows what it does',
  });
}
