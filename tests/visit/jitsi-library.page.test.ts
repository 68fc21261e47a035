import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import { participantsOf } from '../../model/scenario.js';
import { localFleets } from '../../probes/local-fleet.js';
import { visitingPlayer } from '../../probes/visit/visiting-player.js';
import { visit } from '../../scenarios/visit.js';
import { soon } from '../soon.js';
import { type JitsiApp, startJitsiApp } from './jitsi-app.js';
import { test, type VisitStage } from './visit-stage.js';

const library = fileURLToPath(new URL('../../recipes/lib-jitsi-meet.mjs', import.meta.url));

async function joined({ app, stage, room }: { app: JitsiApp; stage: VisitStage; room: string }) {
  const { chromiumPath, cacheFolder, observerPath } = stage;
  const samples: Sample[] = [];
  const url = `${app.origin}/${room}#{session}`;
  const env = { APP_JITSI_TOKEN: 'token' };
  const fleet = localFleets(visitingPlayer({ url, env, library, trial: room }, observerPath))(
    {
      ...{ chromiumPath, cacheFolder, temporaryRoot: await mkdtemp(join(cacheFolder, '..', 'jitsi-')) },
      ...{ media: mediaSchema.parse({ width: 320, height: 180 }), probesPerPage: 1, pagesPerBrowser: 8 },
    },
    { onSamples: (batch) => samples.push(...batch), onEvent: () => undefined },
  );
  const scenario = visit(2, { expect: [{ role: 'member', sends: ['audio', 'video'], audio: 1, video: 1 }] });
  const negotiate = async () => Promise.reject(new Error('nobody negotiates'));
  const joining = { pacePerSecond: 10, deadlineMs: 15_000, negotiate, signal: new AbortController().signal };
  await fleet.join(participantsOf(scenario.sessions(1)), joining);
  return { fleet, samples };
}

test('the module for lib-jitsi-meet calls the library in its order, each by its own, and leaves', async ({ stage }) => {
  const app = await startJitsiApp();
  const { fleet, samples } = await joined({ app, stage, room: 'open' });
  try {
    expect(fleet.records().map(({ up, failures }) => [up, failures])).toEqual([
      [true, []],
      [true, []],
    ]);
    await soon(() => new Set(samples.map(({ probe }) => probe)).size, { timeout: 15_000 }).toBe(2);
    for (const id of ['1a', '1b']) {
      const { streams = [], legs } = samples.findLast(({ probe }) => probe === id) ?? {};
      expect(legs).toMatchObject([{ connectionState: 'connected' }]);
      expect(streams.map(({ direction, kind }) => `${direction} ${kind}`)).toEqual([
        'receive audio',
        'receive video',
        'send audio',
        'send video',
      ]);
    }
    await fleet.leave();
  } finally {
    await fleet.close();
    await app.close();
  }
  // Until they are named, nobody can tell the calls of the two apart, which may come between each other.
  const beforeNamed = new Set(app.calls.filter((call) => call.startsWith('? ')));
  expect([...beforeNamed].slice(0, 4)).toEqual([
    '? init',
    `? JitsiConnection null token ${app.origin}/http-bind?room=loadline-open-1 muc.meet.jitsi`,
    '? connect loadline-open-1',
    '? initJitsiConference loadline-open-1 p2p false',
  ]);
  for (const id of ['1a', '1b'])
    expect(app.calls.filter((call) => call.startsWith(id))).toEqual(
      [
        'setDisplayName',
        'createLocalTracks audio,video',
        'addTrack audio',
        'addTrack video',
        'join',
        'setReceiverConstraints -1 180',
        'leave',
        'disconnect',
      ].map((call) => `${id} ${call}`),
    );
});

test('a server that does not let in is told in its words', async ({ stage }) => {
  const app = await startJitsiApp();
  const { fleet } = await joined({ app, stage, room: 'closed' });
  try {
    const [first] = fleet.records().flatMap(({ failures }) => failures);
    expect(first).toMatchObject({
      code: 'join-script',
      detail: expect.stringContaining('no connection: connection.passwordRequired,a room that is closed'),
    });
  } finally {
    await fleet.close();
    await app.close();
  }
});
