import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import type { Evidence } from '../../model/evidence.js';
import { type Media, type Plan, planSchema } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { Sample } from '../../model/sample.js';
import type { Scenario } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { startBrowserFleet } from '../../probes/chromium/browser-player.js';
import type { StartFleet } from '../../probes/fleet.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import { beginChanges as changesOf } from '../../trial/network-steps.js';
import type { TrialParts } from '../../trial/parts.js';
import { runTrial } from '../../trial/run-trial.js';
import { ServerWatch } from '../../trial/server-watch.js';

/** Where benches keep clips. */
export const benchCache = join(tmpdir(), 'loadline-bench-cache');

interface StageOptions {
  readonly chromiumPath: string;
  readonly server: MediaServer;
  readonly scenario: Scenario;
  readonly size: number;
  /** Absent: all probes are full. */
  readonly players?: Players;
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
  /** Absent: the usual. */
  readonly media?: Media;
  /** Fleets that play on these; absent: these themselves. */
  readonly through?: (startFleet: StartFleet) => StartFleet;
}

export interface CallStage {
  /** Every sample since the first probe joined. */
  readonly samples: readonly Sample[];
  readonly probes: number;
  /** Where the browsers' profiles are: it stands in their command lines. */
  readonly folder: string;
  records(): readonly ProbeRecord[];
  /** Read once a second since joining began. */
  evidence(): Evidence;
  /** From now on what receivers ask for changes, where it does. */
  beginChanges(): void;
}

/** Throws where a probe did not come, or has gone. */
export function failOfProbe(stage: CallStage, kind: string): void {
  const [failed] = stage.records().flatMap(({ failures }) => failures);
  if (failed) throw new Error(`a probe of ${kind} failed: ${failed.detail}`);
}

/** A trial with real probes whose settling and measuring is the scene. The verdict of that trial is not used. */
export async function onCallStage<Result>(
  options: StageOptions,
  scene: (stage: CallStage) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
  const { server, scenario, size } = options;
  const samples: Sample[] = [];
  const { signal } = new AbortController();
  const played: { readonly result: Result }[] = [];
  try {
    const parts = partsOf(options, folder, samples);
    const watch = new ServerWatch(server);
    const run = { plan: planOf(options), server: await server.start(signal), host: {} };
    const setting = { run, scenario, parts, watch, index: 1, size, why: 'grow', baseline: null } as const;
    const { end } = await runTrial(setting, signal, async (state) => {
      const stage = { samples, probes: state.participants.length, folder };
      const records = () => state.probes();
      let endChanges = () => {};
      const beginChanges = () => {
        endChanges = changesOf(state);
      };
      const evidence = () => state.evidence.evidence();
      played.push({ result: await scene({ ...stage, records, evidence, beginChanges }) });
      endChanges();
    });
    if (end.kind === 'failed') throw end.error;
    const [first] = played;
    if (end.kind !== 'complete' || !first) throw new Error(`the trial ended as ${end.kind} before its scene had`);
    return first.result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function planOf(options: Omit<StageOptions, 'chromiumPath' | 'server' | 'size'>): Plan {
  const { scenario, players, media, probesPerPage, pagesPerBrowser } = options;
  const asked: z.input<typeof planSchema> = {
    scenario: scenario.name,
    players,
    server: { kind: 'embedded' },
    media,
    timing: { pacePerSecond: 4 },
    thresholds: { joinMsMax: 20_000 },
    probesPerPage,
    pagesPerBrowser,
  };
  return planSchema.parse(asked);
}

function partsOf(
  { chromiumPath, server, through = (start) => start }: StageOptions,
  folder: string,
  samples: Sample[],
): TrialParts {
  const own = { cacheFolder: benchCache, temporaryRoot: folder };
  return {
    server,
    startFleet: through((options, listener) => startBrowserFleet({ ...options, ...own }, listener)),
    sinks: [{ writeSamples: (_trial, batch) => void samples.push(...batch), writeTrial: async () => undefined }],
    clock: wallClock,
    chromium: { path: chromiumPath },
    runDirectory: folder,
    listener: () => undefined,
  };
}
