import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { test as base, expect } from '@playwright/test';
import { readCommandLines, readProcesses, treeOf } from '../host/processes.js';
import type { ProbeArtifacts } from '../model/artifacts.js';
import type { ReceiveStreamSample, Sample, SendStreamSample } from '../model/sample.js';
import type { Leg, MediaKind, Participant } from '../model/scenario.js';
import type { Begin, Negotiate } from '../model/signalling.js';
import type { TrialEvent } from '../model/trial.js';
import { startBrowserFleet } from '../probes/chromium/browser-player.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import type { Fleet, FleetOptions, StartFleet } from '../probes/fleet.js';
import { bundlePageScript } from './bundled-scripts.js';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.js';

export interface Stage {
  readonly fleet: Fleet;
  readonly samples: Sample[];
  readonly events: TrialEvent[];
  readonly artifacts: ProbeArtifacts[];
  readonly temporaryRoot: string;
  join(participants: readonly Participant[], negotiate: Negotiate, deadlineMs?: number, begin?: Begin): Promise<void>;
}

export interface RealProbes {
  /**
   * A fleet, of real Chromium unless `start` says otherwise, that is closed, and seen to have left nothing, whatever
   * the scene does.
   */
  withFleet(options: Partial<FleetOptions>, scene: (stage: Stage) => Promise<void>, start?: StartFleet): Promise<void>;
  withServer(
    options: { readonly withoutVideo?: readonly string[] },
    scene: (server: LoopbackServer) => Promise<void>,
  ): Promise<void>;
}

/** Tests with real Chromium: one page bundle and one clip for all of a worker. */
export const test = base.extend<object, { probes: RealProbes }>({
  probes: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of needed fixtures from here.
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'loadline-fleet-test-'));
      // For the user that browsers of root run as.
      await chmod(folder, 0o711);
      const found = await findChromium({ env });
      if (!found) throw new Error('these tests need a Chromium');
      const pageScript = await bundlePageScript(join(folder, 'page.js'));
      await use(realProbes(folder, found.path, pageScript));
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

function realProbes(folder: string, chromiumPath: string, pageScript: string): RealProbes {
  return {
    async withFleet(options, scene, start = startBrowserFleet) {
      const temporaryRoot = await mkdtemp(join(folder, 'temporary-'));
      await chmod(temporaryRoot, 0o711);
      const places = { cacheFolder: join(folder, 'cache'), pageScript, temporaryRoot };
      const { fleet, stage } = stageOf({ ...defaults, chromiumPath, ...places, ...options }, temporaryRoot, start);
      try {
        await scene(stage);
      } finally {
        await fleet.close();
      }
      expect(await readdir(temporaryRoot)).toEqual([]);
      expect(await ownChromiums(temporaryRoot)).toEqual([]);
    },
    async withServer(options, scene) {
      const server = await startLoopbackServer({ chromiumPath, ...options });
      try {
        await scene(server);
      } finally {
        await server.close();
      }
    },
  };
}

const defaults = {
  media: { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' },
  probesPerPage: 4,
  pagesPerBrowser: 4,
} as const;

function stageOf(
  options: FleetOptions,
  temporaryRoot: string,
  start: StartFleet,
): { readonly fleet: Fleet; readonly stage: Stage } {
  const samples: Sample[] = [];
  const events: TrialEvent[] = [];
  const artifacts: ProbeArtifacts[] = [];
  const fleet = start(options, {
    onSamples: (batch) => samples.push(...batch),
    onEvent: (event) => events.push(event),
    onArtifacts: (kept) => artifacts.push(kept),
  });
  const joinAll: Stage['join'] = (participants, negotiate, deadlineMs = 10_000, begin = undefined) => {
    const signal = new AbortController().signal;
    return fleet.join(participants, { pacePerSecond: 10, deadlineMs, negotiate, ...(begin ? { begin } : {}), signal });
  };
  return { fleet, stage: { fleet, samples, events, artifacts, temporaryRoot, join: joinAll } };
}

const both: readonly MediaKind[] = ['audio', 'video'];

/** Somebody in a call of their own with a far end that is no probe. */
export function participant(id: string, leg: Partial<Leg> = {}): Participant {
  const from = { participant: `${id}-far` };
  return { id, session: id, role: 'caller', legs: [{ id, sends: both, receives: both, from, ...leg }] };
}

/** Processes of this stage's browsers, by their command lines; the one that used most CPU first. */
export async function ownChromiums(temporaryRoot: string, type?: 'renderer' | 'browser'): Promise<readonly number[]> {
  const [processes, lines] = await Promise.all([readProcesses(), readCommandLines()]);
  const lineOf = (pid: number): string => (lines.get(pid) ?? []).join(' ');
  const roots = new Set(processes.map(({ pid }) => pid).filter((pid) => lineOf(pid).includes(temporaryRoot)));
  const tree = new Set(treeOf(processes, roots).map(({ pid }) => pid));
  return processes
    .filter(({ pid }) => tree.has(pid) && (type === undefined || typeOf(lineOf(pid)) === type))
    .sort((one, other) => other.cpuTicks - one.cpuTicks)
    .map(({ pid }) => pid);
}

/** Only the browser process itself has no `--type`; a system's start script, too, but that uses next to no CPU. */
const typeOf = (line: string): string => /--type=([a-z-]+)/.exec(line)?.[1] ?? 'browser';

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const failureCodes = (fleet: Fleet): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(fleet.records().map((one) => [one.participant.id, one.failures.map(({ code }) => code)]));

export function stream(sample: Sample | undefined, direction: 'receive', kind: MediaKind): ReceiveStreamSample;
export function stream(sample: Sample | undefined, direction: 'send', kind: MediaKind): SendStreamSample;
export function stream(sample: Sample | undefined, direction: 'send' | 'receive', kind: MediaKind) {
  const found = sample?.streams.find((one) => one.direction === direction && one.kind === kind);
  if (!found) throw new Error(`no ${direction} ${kind} stream in ${JSON.stringify(sample)}`);
  return found;
}
