import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import { given } from '../../model/given.js';
import type { ArrivedJoin, EndedStay } from '../../model/join.js';
import { mediaSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import { participantsOf } from '../../model/scenario.js';
import type { FleetEvent } from '../../model/trial.js';
import { visit } from '../../scenarios/visit.js';
import { long } from '../../tests/effort.js';
import { failureCodes } from '../../tests/fleet-stage.js';
import { soon } from '../../tests/soon.js';
import { test, type VisitStage } from '../../tests/visit/visit-stage.js';
import type { ComingOptions } from '../fleet.js';
import { localFleets } from '../local-fleet.js';
import { PageTraces } from './page-traces.js';
import { visitingPlayer } from './visiting-player.js';

const negotiate = async (): Promise<never> => {
  throw new Error('nobody negotiates');
};

interface VisitedHow {
  readonly script?: string;
  readonly traces?: PageTraces;
  readonly films?: string;
}

async function fleetOf(stage: VisitStage, url: string, expectVideo: number, how: VisitedHow = {}) {
  const { script: joinScript, traces, films } = how;
  const temporaryRoot = await mkdtemp(join(stage.cacheFolder, '..', 'fleet-'));
  await chmod(temporaryRoot, 0o711);
  const script = joinScript === undefined ? {} : { join: join(temporaryRoot, 'join.ts') };
  if (script.join !== undefined) await writeFile(script.join, joinScript ?? '');
  const samples: Sample[] = [];
  const events: FleetEvent[] = [];
  const artifacts: ProbeArtifacts[] = [];
  const fleet = localFleets(
    visitingPlayer(
      { url, env: { APP_TOKEN: 'hunter2hunter2' }, ...script, ...given({ traces, films }) },
      stage.observerPath,
    ),
  )(
    {
      chromiumPath: stage.chromiumPath,
      media: mediaSchema.parse({ width: 320, height: 180 }),
      probesPerPage: 1,
      pagesPerBrowser: 8,
      cacheFolder: stage.cacheFolder,
      temporaryRoot,
    },
    {
      onSamples: (batch) => samples.push(...batch),
      onEvent: (event) => events.push(event),
      onArtifacts: (kept) => artifacts.push(kept),
    },
  );
  const scenario = visit(2, { expect: [{ role: 'member', sends: ['audio', 'video'], audio: 1, video: expectVideo }] });
  const join_ = (deadlineMs: number) =>
    fleet.join(participantsOf(scenario.sessions(1)), {
      pacePerSecond: 10,
      deadlineMs,
      negotiate,
      signal: new AbortController().signal,
    });
  return { fleet, samples, events, artifacts, join: join_, temporaryRoot };
}

test('participants of an app are measured by the definitions of all probes, a second at a time', async ({ stage }) => {
  const folder = join(stage.cacheFolder, 'none-failed');
  const script = [
    "export default async ({ mark }) => mark('seated');",
    'let times = 0;',
    'export const measure = async ({ metric }) => {',
    "  if ((times += 1) > 4) throw new Error('no chat');",
    "  metric('chat', times);",
    '};',
  ].join('\n');
  const traced = { script, traces: new PageTraces(folder) };
  const url = `${stage.app.origin}/?act=call`;
  const { fleet, samples, events, join: joinAll, temporaryRoot } = await fleetOf(stage, url, 1, traced);
  try {
    await joinAll(15_000);
    expect(failureCodes(fleet)).toEqual({ '1a': [], '1b': [] });
    expect(fleet.records().map(({ up }) => up)).toEqual([true, true]);
    // A page that loads shows nothing to anybody, whatever the server does: the wait begins when it has connected.
    const [first, second] = fleet.records().map((one) => one.join);
    expect(first?.sourcesStartedMs).toBeGreaterThanOrEqual(second?.dtlsConnectedMs ?? Number.NaN);
    await soon(() => samples.filter(({ probe }) => probe === '1b').length, { timeout: 15_000 }).toBeGreaterThan(4);
    // The script tells of the app, once when it joins and each second; what it throws then is said once of each page.
    const told = events.flatMap((event) => (event.type === 'app-value' ? `${event.of} ${event.name}` : []));
    expect(told.toSorted()).toEqual([...Array(2).fill('mark seated'), ...Array(4).fill('metric chat')].toSorted());
    const warned = events.flatMap((event) => (event.type === 'warning' ? event.text : []));
    expect(warned.toSorted()).toEqual(['1a', '1b'].map((id) => `measure of ${id} threw at join.ts:4: no chat`));
    const last = samples.filter(({ probe }) => probe === '1b').at(-1);
    const names = last?.streams.map(({ direction, kind, stream }) => [direction, kind, stream].join(' ').trim());
    expect(names).toEqual(['receive audio audio 1', 'receive video video 1', 'send audio', 'send video']);
    const video = last?.streams.find(({ kind, direction }) => kind === 'video' && direction === 'receive');
    expect(video?.metrics).toMatchObject({ frameWidth: expect.any(Number), framesDecoded: expect.any(Number) });
    expect(last?.legs).toMatchObject([{ leg: '1b', connectionState: 'connected' }]);
  } finally {
    await fleet.close();
  }
  expect((await readdir(temporaryRoot)).filter((name) => name !== 'join.ts')).toEqual([]);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('rooms of an app come when they are due, stay and leave, and nothing is measured of one that has left', async ({
  stage,
}) => {
  const { fleet, samples, temporaryRoot } = await fleetOf(stage, `${stage.app.origin}/?act=call`, 1);
  const scenario = visit(1, { expect: [{ role: 'member', sends: ['audio', 'video'], audio: 1, video: 1 }] });
  const rooms = participantsOf(scenario.coming?.sessions(2, 1) ?? []);
  const [joins, stays]: [ArrivedJoin[], EndedStay[]] = [[], []];
  const beganMs = Date.now() + 1_000;
  const options: ComingOptions = {
    ...{ pacePerSecond: 10, deadlineMs: 15_000, negotiate, signal: new AbortController().signal },
    arriving: {
      nowMs: Date.now,
      dueMs: ({ session }) => beganMs + 2_000 * Number(session),
      partyOf: ({ session }) => session,
      legsOf: ({ legs }) => legs,
      stayMs: () => 3_000,
      end: async () => undefined,
      atOnce: () => 2,
      onJoin: (one) => joins.push(one),
      onStay: (one) => stays.push(one),
      onAsleep: () => undefined,
    },
  };
  try {
    await fleet.standBy?.(rooms, options);
    await fleet.join(rooms, options);
    await soon(() => stays.length, { timeout: 20_000 }).toBe(2);
    for (const { begunMs = 0, answeredMs = 0, connectedMs = 0, firstFrameMs = 0, servedMs = 0 } of joins) {
      const inOrder = [begunMs, answeredMs, connectedMs, firstFrameMs];
      expect(inOrder.toSorted((one, other) => one - other)).toEqual(inOrder);
      // All until then is the app's, the opening of its page included.
      expect(servedMs).toBeGreaterThan(0);
      expect(servedMs).toBeLessThanOrEqual(answeredMs - begunMs);
    }
    for (const { participant, up, there, failures } of fleet.records()) {
      expect([up, failures]).toEqual([true, []]);
      const own = samples.filter(({ probe }) => probe === participant.id).map(({ atMs }) => atMs);
      expect(own.length).toBeGreaterThan(0);
      expect(Math.max(...own)).toBeLessThanOrEqual(there?.untilMs ?? 0);
    }
  } finally {
    await fleet.close();
  }
  expect(await readdir(temporaryRoot)).toEqual([]);
});

test(
  'a stream that never comes, and a script that throws, are failures with their words and without secrets',
  long,
  async ({ stage }) => {
    const short = await fleetOf(stage, `${stage.app.origin}/?act=call`, 2);
    try {
      await short.join(3_000);
      expect(failureCodes(short.fleet)).toEqual({ '1a': ['no-media'], '1b': ['no-media'] });
      expect(short.fleet.records()[0]?.failures[0]?.missing).toEqual(['video from others (video 2)']);
    } finally {
      await short.fleet.close();
    }
    const script = [
      'interface Given { env: Record<string, string>; page: any }',
      'export default async ({ env, page }: Given) => {',
      "  await page.evaluate((token: string) => console.log('token is ' + token), env.APP_TOKEN);",
      "  throw new Error('no room for ' + env.APP_TOKEN);",
      '};',
    ].join('\n');
    const folder = join(stage.cacheFolder, 'traces');
    const throwing = await fleetOf(stage, `${stage.app.origin}/?act=nothing`, 1, {
      script,
      traces: new PageTraces(folder),
    });
    try {
      await throwing.join(5_000);
      const failure = throwing.fleet.records()[0]?.failures[0];
      expect(failure).toMatchObject({
        code: 'join-script',
        detail: expect.stringMatching(/ at join\.ts:4: no room for \*\*\*$/),
      });
      await soon(() => throwing.artifacts.length).toBe(2);
      expect(throwing.artifacts[0]?.picture).toMatch(/^data:image\/jpeg;base64,/);
      expect(throwing.artifacts[0]?.texts[0]?.text).toContain('log: token is ***');
      expect(JSON.stringify(throwing.artifacts)).not.toContain('hunter2');
      const traces = (await readdir(folder)).map((name) => name.replace(/^loadline-\w+-/, ''));
      expect(traces.toSorted()).toEqual(['1-1a.zip', '1-1b.zip']);
      expect(throwing.artifacts[0]?.texts[1]).toEqual({ name: 'trace', text: expect.stringContaining(folder) });
    } finally {
      await throwing.fleet.close();
    }
  },
);

test('the first page of a trial is filmed in view, in a file of its name', async ({ stage }) => {
  const films = join(stage.cacheFolder, 'films');
  const { fleet, join: joinAll } = await fleetOf(stage, `${stage.app.origin}/`, 1, { films });
  try {
    const missing = await joinAll(15_000).catch((error: unknown) => error);
    test.skip(missing !== undefined, `Playwright has no ffmpeg here: ${missing}`);
    await sleep(1_000);
    await fleet.leave();
    const [film, ...others] = await readdir(films);
    expect([film, others]).toEqual([expect.stringMatching(/^loadline-\w+-1-1a\.webm$/), []]);
    const bytes = await readFile(join(films, film ?? ''));
    // A WebM, of a page that moves: of a blank one it has less than a tenth.
    expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
    expect(bytes.length).toBeGreaterThan(20_000);
  } finally {
    await fleet.close();
  }
});
