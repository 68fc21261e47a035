import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Media, planSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { startChromiumFleet } from '../../probes/chromium/chromium-fleet.js';
import type { Fleet } from '../../probes/fleet.js';
import type { MediaServer, ServerSession } from '../../server-setup/media-server.js';

export interface StageOptions {
  readonly chromiumPath: string;
  readonly server: MediaServer;
  readonly scenario: Scenario;
  readonly size: number;
  /** Absent: all probes are full. */
  readonly encoded?: { readonly fullShare: number };
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
  readonly pacePerSecond?: number;
}

export interface CallStage {
  readonly fleet: Fleet;
  readonly media: Media;
  /** All since the first probe joined. */
  readonly samples: Sample[];
  readonly probes: number;
  /** Where the browsers' profiles are: it stands in their command lines. */
  readonly folder: string;
}

/** Joins real probes on a media server that has started, plays the scene, and takes everything down. */
export async function onCallStage<Result>(
  options: StageOptions,
  scene: (stage: CallStage) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
  const { media } = planSchema.parse({ scenario: options.scenario.name, server: { kind: 'embedded' } });
  const { server, chromiumPath, probesPerPage, pagesPerBrowser, encoded } = options;
  const samples: Sample[] = [];
  const { signal } = new AbortController();
  const fleet = startChromiumFleet(
    {
      chromiumPath,
      media,
      probesPerPage,
      pagesPerBrowser,
      ...(encoded ? { encoded } : {}),
      cacheFolder: join(tmpdir(), 'loadline-bench-cache'),
      temporaryRoot: folder,
    },
    { onSamples: (batch) => samples.push(...batch), onEvent: () => undefined },
  );
  try {
    const sessions = options.scenario.sessions(options.size);
    const opened = new Map<string, ServerSession>();
    for (const session of sessions) opened.set(session.id, await server.openSession(session, signal));
    const participants = participantsOf(sessions);
    await fleet.join(participants, {
      pacePerSecond: options.pacePerSecond ?? 4,
      deadlineMs: 20_000,
      signal,
      negotiate: (request) => {
        const session = opened.get(request.participant.session);
        return session ? session.join(request) : Promise.reject(new Error('no such session'));
      },
    });
    const result = await scene({ fleet, media, samples, probes: participants.length, folder });
    await fleet.leave();
    for (const session of opened.values()) await session.close();
    return result;
  } finally {
    await fleet.close();
    await server.reset(signal);
    await rm(folder, { recursive: true, force: true });
  }
}
