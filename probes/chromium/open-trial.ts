import { tmpdir } from 'node:os';
import type { Participant } from '../../model/scenario.js';
import type { FleetOptions, JoinOptions } from '../fleet.js';
import type { NetworkLayout } from '../layout.js';
import type { OwnHost } from '../ledger/own-host.js';
import { ProbeCalls } from '../ledger/probe-calls.js';
import type { ProbeLedger } from '../ledger/probe-ledger.js';
import { ownClock } from '../own-clock.js';
import type { HostCall, HostReply } from '../page/wire.js';
import { BrowserSet, type Loss } from './browser-set.js';
import { cacheOf, pageScriptOf } from './fleet-files.js';
import { encodedClip } from './media/encoded-clip.js';
import { clipShape, type MediaFiles, mediaFiles, standInFiles } from './media/media-files.js';
import { type ReadableClips, readableClips } from './readable-clips.js';
import { vmafOf } from './vmaf.js';

/** The parts of the one trial that browsers play. */
export interface Trial {
  readonly ledger: ProbeLedger;
  readonly calls: ProbeCalls;
  readonly browsers: BrowserSet;
  readonly pageOf: ReadonlyMap<string, number>;
}

/** What the parts of a trial are made for, and who is told what comes of them. */
interface TrialOrder {
  readonly participants: readonly Participant[];
  readonly layout: Pick<NetworkLayout, 'browsers'>;
  readonly ledger: ProbeLedger;
  readonly joining: Pick<JoinOptions, 'negotiate' | 'begin' | 'signal'>;
  /** Where each is played; it may be filled while the trial runs. */
  readonly pageOf: ReadonlyMap<string, number>;
  readonly sendingPages: ReadonlySet<number>;
  /** To be closed with the fleet. */
  readonly onClips: (clips: ReadableClips) => void;
  /** Hears each call of a page before it is answered; what it returns hears the answer. */
  readonly hears?: (call: HostCall) => (reply: HostReply | null) => void;
  /** Tells what comes of them. */
  readonly host: OwnHost;
  /** When all have left, what a page still says is no sample. */
  readonly haveLeft: () => boolean;
  readonly onLost: (loss: Loss) => void;
}

/** Makes the parts of one trial: its media, its browsers (not started yet), and the answers to page calls. */
export async function openTrial(options: FleetOptions, order: TrialOrder): Promise<Trial> {
  const { participants, ledger, joining, pageOf, hears, host } = order;
  const { media, inside } = options;
  const script = await pageScriptOf(options);
  const { played, encoded, camera } = await playedMedia(options, order, script);
  const pageAt = (probe: string) => browsers.page(pageOf.get(probe) ?? 0);
  const { negotiate, begin, signal } = joining;
  const calls = new ProbeCalls(participants, {
    ledger,
    negotiate,
    ...(begin ? { begin } : {}),
    signal,
    offerToPage: async (probe, leg, offer) => (await pageAt(probe)?.renegotiate(probe, leg, offer)) ?? null,
    // A page that is gone has its own failure; there is nobody left to hand the candidate to.
    toPage: (probe, leg, candidate) =>
      void pageAt(probe)
        ?.candidate(probe, leg, candidate)
        .catch(() => undefined),
    onEvent: (event) => host.event(event),
    onSamples: (samples) => {
      if (!order.haveLeft()) host.samples(samples);
    },
    onArtifacts: (artifacts) => host.artifacts(artifacts),
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
    onCall: async (call) => {
      const hearsReply = hears?.(call);
      const reply = await calls.answer(call);
      hearsReply?.(reply);
      return reply;
    },
    onEvent: (event) => host.event(event),
    onLost: order.onLost,
  });
  return { ledger, calls, browsers, pageOf };
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
