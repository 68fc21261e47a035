import { tmpdir } from 'node:os';
import type { FleetOptions } from '../fleet.js';
import type { NetworkLayout } from '../layout.js';
import { ProbeCalls } from '../ledger/probe-calls.js';
import { ownClock } from '../own-clock.js';
import type { PlayerOrder } from '../player.js';
import { BrowserSet, type Loss } from './browser-set.js';
import { cacheOf, pageScriptOf } from './fleet-files.js';
import { encodedClip } from './media/encoded-clip.js';
import { clipShape, type MediaFiles, mediaFiles, standInFiles } from './media/media-files.js';
import { type ReadableClips, readableClips } from './readable-clips.js';
import { vmafOf } from './vmaf.js';

/** The parts of the one trial that browsers play. */
export interface Trial {
  readonly calls: ProbeCalls;
  readonly browsers: BrowserSet;
}

/** What the parts of a trial are made for, and who is told what comes of them. */
interface TrialOrder extends Omit<PlayerOrder, 'options'> {
  readonly layout: Pick<NetworkLayout, 'browsers'>;
  /** Where each is played; it may be filled while the trial runs. */
  readonly pageOf: ReadonlyMap<string, number>;
  readonly sendingPages: ReadonlySet<number>;
  /** To be closed with the fleet. */
  readonly onClips: (clips: ReadableClips) => void;
  readonly onLost: (loss: Loss) => void;
}

/** Makes the parts of one trial: its media, its browsers (not started yet), and the answers to page calls. */
export async function openTrial(options: FleetOptions, order: TrialOrder): Promise<Trial> {
  const { pageOf, host } = order;
  const { media, inside } = options;
  const script = await pageScriptOf(options);
  const { played, encoded, camera } = await playedMedia(options, order, script);
  const pageAt = (probe: string) => browsers.page(pageOf.get(probe) ?? 0);
  const calls = new ProbeCalls(order, {
    offerToPage: async (probe, leg, offer) => (await pageAt(probe)?.renegotiate(probe, leg, offer)) ?? null,
    // A page that is gone has its own failure; there is nobody left to hand the candidate to.
    toPage: (probe, leg, candidate) =>
      void pageAt(probe)
        ?.candidate(probe, leg, candidate)
        .catch(() => undefined),
    vmafOf: vmafOf(camera, clipShape(media), (why) => {
      host.event({ type: 'warning', atMs: Date.now(), text: `VMAF is told no more: ${why}` });
    }),
  });
  const trustedKey = options.relay?.trustedKey;
  const { chromiumPath, temporaryRoot = tmpdir() } = options;
  const browsers = new BrowserSet({
    browser: { chromiumPath, temporaryRoot, ...(trustedKey === undefined ? {} : { trustedKey }) },
    ...(inside ? { inside } : {}),
    files: played,
    ...(encoded ? { encoded } : {}),
    script,
    media,
    clock: options.ownClock ?? ownClock(),
    sendingPages: order.sendingPages,
    onCall: (call) => calls.answer(call),
    onEvent: (event) => host.event(event),
    onLost: order.onLost,
  });
  return { calls, browsers };
}

/** What the cameras play, and for probes whose frames are replaced, theirs and what replaces them. */
async function playedMedia(options: FleetOptions, { layout, onClips }: TrialOrder, script: string) {
  const { media, chromiumPath } = options;
  const cache = cacheOf(options);
  const files = await mediaFiles(cache, media);
  const readable = async (unread: MediaFiles): Promise<MediaFiles> => {
    const clips = await readableClips(unread, chromiumPath, options.temporaryRoot ?? tmpdir());
    onClips(clips);
    return clips.files;
  };
  const encoded = layout.browsers.some((browser) => browser.encoded)
    ? {
        files: await standInFiles(cache, media),
        clip: await encodedClip({ cacheFolder: cache, media, files, chromiumPath, script }),
        lightVoice: options.lightVoice === true,
      }
    : undefined;
  const isAllEncoded = layout.browsers.every((browser) => browser.encoded);
  return {
    camera: files.camera,
    played: isAllEncoded ? files : await readable(files),
    ...(encoded ? { encoded: { ...encoded, files: await readable(encoded.files) } } : {}),
  };
}
