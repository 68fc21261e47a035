import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ReceiveStreamSample, Sample, SendStreamSample } from '../model/sample.js';
import type { Leg, MediaKind, Participant } from '../model/scenario.js';
import type { Negotiate } from '../model/signalling.js';
import type { TrialEvent } from '../model/trial.js';
import { type LoopbackServer, startLoopbackServer } from '../tests/loopback-server.js';
import { bundlePageScript } from '../tests/page-script.js';
import { startChromiumFleet } from './chromium-fleet.js';
import { findChromium } from './find-chromium.js';
import type { Fleet, FleetOptions } from './fleet.js';
import { readProcesses, treeOf } from './process-tree.js';

const both: readonly MediaKind[] = ['audio', 'video'];
const folder = await mkdtemp(join(tmpdir(), 'loadline-fleet-test-'));
let chromiumPath = '';
let pageScript = '';

test.beforeAll(async () => {
  chromiumPath = (await findChromium({ env: process.env }))?.path ?? '';
  pageScript = await bundlePageScript(join(folder, 'page.js'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

function participant(id: string, leg: Partial<Leg> = {}): Participant {
  const from = { participant: `${id}-far` };
  return { id, session: id, role: 'caller', legs: [{ id, sends: both, receives: both, from, ...leg }] };
}

interface Stage {
  readonly fleet: Fleet;
  readonly samples: Sample[];
  readonly events: TrialEvent[];
  readonly temporaryRoot: string;
  join(participants: readonly Participant[], negotiate: Negotiate, deadlineMs?: number): Promise<void>;
}

/** A fleet of real Chromium that is closed, and seen to have left nothing, whatever the scene does. */
async function withFleet(options: Partial<FleetOptions>, scene: (stage: Stage) => Promise<void>): Promise<void> {
  const temporaryRoot = await mkdtemp(join(folder, 'temporary-'));
  const samples: Sample[] = [];
  const events: TrialEvent[] = [];
  const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' as const };
  const fleet = startChromiumFleet(
    {
      chromiumPath,
      media,
      probesPerPage: 4,
      pagesPerBrowser: 4,
      cacheFolder: join(folder, 'cache'),
      pageScript,
      temporaryRoot,
      ...options,
    },
    { onSamples: (batch) => samples.push(...batch), onEvent: (event) => events.push(event) },
  );
  const stageJoin: Stage['join'] = (participants, negotiate, deadlineMs = 10_000) =>
    fleet.join(participants, { pacePerSecond: 10, deadlineMs, negotiate, signal: new AbortController().signal });
  try {
    await scene({ fleet, samples, events, temporaryRoot, join: stageJoin });
  } finally {
    await fleet.close();
  }
  expect(await readdir(temporaryRoot)).toEqual([]);
  expect(await ownChromiums(temporaryRoot)).toEqual([]);
}

async function withServer(
  options: { withoutVideo?: readonly string[] },
  scene: (server: LoopbackServer) => Promise<void>,
): Promise<void> {
  const server = await startLoopbackServer({ chromiumPath, ...options });
  try {
    await scene(server);
  } finally {
    await server.close();
  }
}

/** Processes of this stage's browsers, by their command lines. */
async function ownChromiums(temporaryRoot: string, type?: 'renderer' | 'browser'): Promise<readonly number[]> {
  const processes = await readProcesses();
  const lines = await Promise.all(processes.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  const roots = new Set(processes.filter((_, index) => lines[index]?.includes(temporaryRoot)).map(({ pid }) => pid));
  const tree = new Set(treeOf(processes, roots).map(({ pid }) => pid));
  return processes
    .map((one, index) => ({ ...one, line: lines[index] ?? '' }))
    .filter(({ pid, line }) => tree.has(pid) && (type === undefined || typeOf(line) === type))
    .sort((one, other) => other.cpuTicks - one.cpuTicks)
    .map(({ pid }) => pid);
}

/** Only the browser process itself has no `--type`; a system's start script, too, but that uses next to no CPU. */
const typeOf = (line: string): string => /--type=([a-z-]+)/.exec(line)?.[1] ?? 'browser';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const failureCodes = (fleet: Fleet): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(fleet.records().map((one) => [one.participant.id, one.failures.map(({ code }) => code)]));

function stream(sample: Sample | undefined, direction: 'receive', kind: MediaKind): ReceiveStreamSample;
function stream(sample: Sample | undefined, direction: 'send', kind: MediaKind): SendStreamSample;
function stream(sample: Sample | undefined, direction: 'send' | 'receive', kind: MediaKind) {
  const found = sample?.streams.find((one) => one.direction === direction && one.kind === kind);
  if (!found) throw new Error(`no ${direction} ${kind} stream in ${JSON.stringify(sample)}`);
  return found;
}

test('a probe joins, fills its bitrate and is measured each second with sane values', async () => {
  await withServer({}, ({ negotiate }) =>
    withFleet({}, async ({ fleet, samples, join }) => {
      await join([participant('1a')], negotiate);
      await pause(6_500);
      const host = await fleet.readHost();
      await fleet.leave();
      const [record] = fleet.records();
      expect(record).toMatchObject({ up: true, failures: [], browser: 0, page: 0 });
      expect(record?.join.answerMs).toBeGreaterThan(0);
      expect(record?.join.dtlsConnectedMs).toBeGreaterThanOrEqual(record?.join.iceConnectedMs ?? Number.NaN);
      expect(record?.join.firstFrameMs).toBeGreaterThan(record?.join.dtlsConnectedMs ?? Number.NaN);

      expect(samples.length).toBeGreaterThanOrEqual(5);
      for (const sample of samples) {
        expect(sample.intervalMs).toBeGreaterThan(500);
        expect(Math.abs(sample.atMs - Date.now())).toBeLessThan(20_000);
      }
      const last = samples.at(-1);
      const sent = stream(last, 'send', 'video');
      const kbps = ((sent.metrics.bytesSent ?? 0) * 8) / (last?.intervalMs ?? 1);
      expect(kbps).toBeGreaterThan(350);
      expect(kbps).toBeLessThan(650);
      expect(sent.metrics).toMatchObject({ frameWidth: 640, frameHeight: 360, packetsResent: 0 });
      expect(sent.metrics.framesEncoded).toBeGreaterThan(15);
      expect(sent.qualityLimitation).toBeDefined();
      const seen = stream(last, 'receive', 'video').metrics;
      expect(seen).toMatchObject({ frameWidth: 320, frameHeight: 180 });
      expect(seen.framesDecoded).toBeGreaterThan(10);
      const heard = stream(last, 'receive', 'audio').metrics;
      expect(heard.packetsReceived).toBeGreaterThan(40);
      expect(heard.totalSamples).toBeGreaterThan(40_000);
      expect(heard.jitterBufferMs).toBeGreaterThan(0);
      expect(last?.legs).toMatchObject([{ leg: '1a', connectionState: 'connected', localCandidateType: 'host' }]);
      expect(host?.probeCores).toBeGreaterThan(0.02);
      expect(host?.probeCores).toBeLessThan(host?.busyCores ?? 0);

      const got = samples.length;
      await pause(1_500);
      expect(samples.length, 'no sample after leaving').toBe(got);
    }),
  );
});

test('two probes in one page are accounted apart', async () => {
  await withServer({}, ({ negotiate }) =>
    withFleet({}, async ({ fleet, samples, join }) => {
      const listener = participant('1b', { sends: [], receives: ['audio'] });
      await join([participant('1a'), listener], negotiate);
      await pause(4_500);
      expect(fleet.records().map(({ page, up }) => [page, up])).toEqual([
        [0, true],
        [0, true],
      ]);
      const of = (probe: string): Sample | undefined => samples.filter((sample) => sample.probe === probe).at(-1);
      expect(of('1b')?.streams.map(({ direction, kind }) => [direction, kind])).toEqual([['receive', 'audio']]);
      // The far end sends 15 frames and 50 audio packets a second on each leg: counted together they would double.
      expect(stream(of('1a'), 'receive', 'video').metrics.framesDecoded).toBeLessThan(24);
      expect(stream(of('1a'), 'receive', 'audio').metrics.packetsReceived).toBeLessThan(75);
      expect(stream(of('1b'), 'receive', 'audio').metrics.packetsReceived).toBeLessThan(75);
    }),
  );
});

test('a probe whose remote never sends video is no-media, by the stream that is missing', async () => {
  await withServer({ withoutVideo: ['1a'] }, ({ negotiate }) =>
    withFleet({}, async ({ fleet, events, join }) => {
      await join([participant('1a'), participant('2a')], negotiate, 4_000);
      expect(failureCodes(fleet)).toEqual({ '1a': ['no-media'], '2a': [] });
      const [failure] = fleet.records()[0]?.failures ?? [];
      expect(failure?.missing).toEqual(['video from 1a-far']);
      expect(failure?.detail).toMatch(/^connected, but no video from 1a-far for [34](\.\d)? s$/);
      expect(events.map(({ type }) => type).sort()).toEqual(['probe-failed', 'probe-up']);
    }),
  );
});

test('each way not to join has its own name', async () => {
  const never = new Promise<never>(() => undefined);
  await withServer({}, ({ negotiate }) =>
    withFleet({}, async ({ fleet, join }) => {
      const people = ['silent', 'unreachable', 'refused'].map((id) => participant(id));
      const negotiation: Negotiate = async (request) => {
        if (request.participant.id === 'silent') return never;
        if (request.participant.id === 'refused') throw new Error('no more endpoints');
        const agreed = await negotiate({ ...request, onCandidate: () => undefined });
        const answer = agreed.answer.replaceAll(/a=candidate.*\r\n/g, '');
        return { answer, addCandidate: async () => undefined };
      };
      await join(people, negotiation, 2_000);
      expect(failureCodes(fleet)).toEqual({
        silent: ['signalling-timeout'],
        unreachable: ['ice-timeout'],
        refused: ['refused'],
      });
      const details = fleet.records().map((record) => record.failures[0]?.detail);
      expect(details[0]).toBe('no SDP answer in 2 s');
      expect(details[1]).toMatch(/^no ICE connection in 2(\.\d)? s \(state (new|checking)\)$/);
      expect(details[2]).toContain('no more endpoints');
    }),
  );
});

test('a far end that goes away is a disconnect of that probe alone, and is never healed', async () => {
  await withServer({}, ({ negotiate, hangUp }) =>
    withFleet({}, async ({ fleet, join }) => {
      await join([participant('1a'), participant('2a')], negotiate);
      await hangUp('1a');
      await expect.poll(() => failureCodes(fleet), { timeout: 15_000 }).toEqual({ '1a': ['disconnected'], '2a': [] });
      expect(fleet.records().map(({ up }) => up)).toEqual([true, true]);
    }),
  );
});

test('a page that crashes fails its probes, is not started again, and the others go on', async () => {
  await withServer({}, ({ negotiate }) =>
    withFleet({ probesPerPage: 1 }, async ({ fleet, samples, events, temporaryRoot, join }) => {
      await join([participant('1a'), participant('2a')], negotiate);
      const [renderer] = await ownChromiums(temporaryRoot, 'renderer');
      process.kill(renderer ?? Number.NaN, 'SIGKILL');
      await expect.poll(() => Object.values(failureCodes(fleet)).flat()).toEqual(['page-crashed']);
      const fallen = fleet.records().find(({ failures }) => failures.length > 0)?.participant.id;
      samples.length = 0;
      await pause(3_000);
      expect(new Set(samples.map(({ probe }) => probe))).toEqual(new Set([fallen === '1a' ? '2a' : '1a']));
      expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
    }),
  );
});

test('a browser that ends fails all its probes, and the other browser goes on', async () => {
  await withServer({}, ({ negotiate }) =>
    withFleet({ probesPerPage: 1, pagesPerBrowser: 1 }, async ({ fleet, samples, events, temporaryRoot, join }) => {
      await join([participant('1a'), participant('2a')], negotiate);
      const [victim] = await ownChromiums(temporaryRoot, 'browser');
      process.kill(victim ?? Number.NaN, 'SIGKILL');
      await expect.poll(() => Object.values(failureCodes(fleet)).flat()).toEqual(['browser-crashed']);
      samples.length = 0;
      await pause(2_500);
      expect(new Set(samples.map(({ probe }) => probe)).size).toBe(1);
      expect(events.filter(({ type }) => type === 'browser-crashed')).toHaveLength(1);
    }),
  );
});

test('an aborted join rejects with the reason, and no browser is left', async () => {
  await withFleet({}, async ({ fleet }) => {
    const abort = new AbortController();
    const joining = fleet.join([participant('1a')], {
      pacePerSecond: 1,
      deadlineMs: 10_000,
      negotiate: () => new Promise(() => undefined),
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(new Error('stopped by hand')), 1_000);
    await expect(joining).rejects.toThrow('stopped by hand');
    expect(failureCodes(fleet)).toEqual({ '1a': ['aborted'] });
  });
});

test('a Chromium that does not start is E_CHROMIUM_START with what was seen', async () => {
  await withFleet({ chromiumPath: '/bin/false' }, async ({ join }) => {
    const joining = join([participant('1a')], () => Promise.reject(new Error('never asked')));
    await expect(joining).rejects.toMatchObject({ code: 'E_CHROMIUM_START', where: '/bin/false' });
  });
});
