import { readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mostArtifacts, type ProbeArtifacts } from '../../model/artifacts.js';
import { theOneHost } from '../../model/probe-host.js';
import type { Sample } from '../../model/sample.js';
import { sampleOn } from '../../model/sample-line.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent } from '../../model/trial.js';
import type { FleetOptions, JoinOptions } from '../fleet.js';
import type { HostCall, HostReply } from '../page/wire.js';
import { BrowserSet, type Loss } from './browser-set.js';
import type { Trial } from './fleet-trial.js';
import type { NetworkLayout } from './layout.js';
import { encodedClip } from './media/encoded-clip.js';
import { type MediaFiles, mediaFiles, standInFiles } from './media/media-files.js';
import { ProbeCalls } from './probe-calls.js';
import type { ProbeLedger } from './probe-ledger.js';
import { type ReadableClips, readableClips } from './readable-clips.js';

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
  readonly onEvent: (event: FleetEvent) => void;
  /** On the fleet's host. */
  readonly onSamples: (samples: readonly Sample[]) => void;
  /** Of the first probes that fail. */
  readonly onArtifacts: (artifacts: ProbeArtifacts) => void;
  readonly onLost: (loss: Loss) => void;
}

/** Makes the parts of one trial: its media, its browsers, which are not started yet, and what answers the calls of their pages. */
export async function openTrial(options: FleetOptions, order: TrialOrder): Promise<Trial> {
  const { participants, ledger, joining, pageOf, hears, onEvent, onSamples } = order;
  const { media, inside, pageScript, host = theOneHost } = options;
  const script = await readFile(pageScript ?? fileURLToPath(new URL('page.js', import.meta.url)), 'utf8');
  const { played, encoded } = await playedMedia(options, order, script);
  const pageAt = (probe: string) => browsers.page(pageOf.get(probe) ?? 0);
  const { negotiate, begin, signal } = joining;
  let kept = 0;
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
    onEvent,
    onSamples: (samples) => onSamples(samples.map((sample) => sampleOn(host, sample))),
    onArtifacts: (artifacts) => {
      kept += 1;
      if (kept <= mostArtifacts) order.onArtifacts({ host, ...artifacts });
    },
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
    sendingPages: order.sendingPages,
    onCall: async (call) => {
      const hearsReply = hears?.(call);
      const reply = await calls.answer(call);
      hearsReply?.(reply);
      return reply;
    },
    onEvent,
    onLost: order.onLost,
  });
  return { ledger, calls, browsers, pageOf };
}

/** What the cameras play, and for probes whose frames are replaced, theirs and what replaces them. */
async function playedMedia(options: FleetOptions, { layout, onClips }: TrialOrder, script: string) {
  const { media, chromiumPath, cacheFolder } = options;
  const cache = cacheFolder ?? join(homedir(), '.cache', 'loadline');
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
      }
    : undefined;
  const isAllEncoded = layout.browsers.every((browser) => browser.encoded);
  return {
    played: isAllEncoded ? files : await readable(files),
    ...(encoded ? { encoded: { ...encoded, files: await readable(encoded.files) } } : {}),
  };
}
