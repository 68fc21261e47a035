import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import { participantsOf } from '../../model/scenario.js';
import { visit } from '../../scenarios/visit.js';
import { soon } from '../../tests/soon.js';
import { aVisit } from '../../tests/visit/a-visit.js';
import { test, type VisitStage } from '../../tests/visit/visit-stage.js';
import { localFleets } from '../local-fleet.js';
import type { NextLook } from '../page/visit/wire.js';
import { bundledLibrary, LibraryHouse, libraryScript } from './library-page.js';
import { VisitedPage } from './visited-page.js';
import { visitingPlayer } from './visiting-player.js';

const negotiate = async (): Promise<never> => {
  throw new Error('nobody negotiates');
};

/** What a client library does, without one: the participant calls itself. */
const calling = `
import { secret } from './kept.js';
let own;
export async function join({ participant, index, env }) {
  if (Object.keys(env).join() !== 'APP_TOKEN' || env.APP_TOKEN !== secret) throw new Error('it is given ' + Object.keys(env));
  if (location.pathname !== '/rooms/1a' || own !== undefined) throw new Error('at ' + location + ' with ' + own);
  own = participant;
  globalThis.inOnePage = [...(globalThis.inOnePage ?? []), participant];
  if (index === 1 && globalThis.inOnePage.join() !== '1a,1b') throw new Error('alone');
  const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()];
  near.onicecandidate = ({ candidate }) => candidate && far.addIceCandidate(candidate);
  far.onicecandidate = ({ candidate }) => candidate && near.addIceCandidate(candidate);
  const camera = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 320, height: 180 } });
  for (const track of camera.getTracks()) near.addTrack(track, camera);
  await near.setLocalDescription();
  await far.setRemoteDescription(near.localDescription);
  await far.setLocalDescription();
  await near.setRemoteDescription(far.localDescription);
}`;

async function fleetOf(stage: VisitStage) {
  const folder = await mkdtemp(join(stage.cacheFolder, '..', 'library-'));
  await chmod(folder, 0o711);
  const library = join(folder, 'library.mjs');
  await writeFile(join(folder, 'kept.js'), "export const secret = 'hunter2hunter2';");
  await writeFile(library, calling);
  const samples: Sample[] = [];
  const env = { APP_TOKEN: 'hunter2hunter2', HOME: '/root' };
  const visited = { url: `${stage.app.origin}/rooms/{participant}#{session}`, env, library };
  const fleet = localFleets(visitingPlayer(visited, stage.observerPath))(
    {
      ...{ chromiumPath: stage.chromiumPath, cacheFolder: stage.cacheFolder, temporaryRoot: folder },
      ...{ media: mediaSchema.parse({ width: 320, height: 180 }), probesPerPage: 1, pagesPerBrowser: 8 },
    },
    { onSamples: (batch) => samples.push(...batch), onEvent: () => undefined },
  );
  const scenario = visit(2, { expect: [{ role: 'member', sends: ['audio', 'video'], audio: 1, video: 1 }] });
  const joining = { pacePerSecond: 10, deadlineMs: 15_000, negotiate, signal: new AbortController().signal };
  return { fleet, samples, folder, join: () => fleet.join(participantsOf(scenario.sessions(1)), joining) };
}

test('those who join by a library share a page at the address of the app, and each is measured by its own connections', async ({
  stage,
}) => {
  const { fleet, samples, folder, join: joinAll } = await fleetOf(stage);
  try {
    await joinAll();
    expect(fleet.records().map(({ up, failures }) => [up, failures])).toEqual([
      [true, []],
      [true, []],
    ]);
    await soon(() => samples.filter(({ probe }) => probe === '1b').length, { timeout: 15_000 }).toBeGreaterThan(3);
    for (const id of ['1a', '1b']) {
      const last = samples.findLast(({ probe }) => probe === id);
      const named = last?.streams.map(({ direction, kind }) => `${direction} ${kind}`);
      expect(named).toEqual(['receive audio', 'receive video', 'send audio', 'send video']);
      expect(last?.legs).toMatchObject([{ connectionState: 'connected' }]);
      // Sound is played, or its jitter buffer would never be drained.
      const sound = last?.streams.find(({ kind, direction }) => kind === 'audio' && direction === 'receive');
      expect(sound?.metrics).toMatchObject({ jitterBufferMs: expect.any(Number) });
    }
  } finally {
    await fleet.close();
  }
  const none = join(folder, 'none.mjs');
  await writeFile(none, 'export const leave = () => undefined;');
  await expect(bundledLibrary(none)).rejects.toMatchObject({ code: 'E_JOIN_SCRIPT', why: 'it has no export "join"' });
});

test('who leaves takes along what is its own, and the last one closes the page', async ({ stage }) => {
  const code = `let near;
    export async function join() {
      [near, globalThis.far] = [new RTCPeerConnection(), new RTCPeerConnection()];
      near.createDataChannel('');
    }`;
  const context = await stage.browser.newContext();
  const counts = new Map<string, number>();
  const script = await readFile(stage.observerPath, 'utf8');
  const soonAgain = (): NextLook => 'soon';
  const how = { script, settings: { phaseMs: 0, plays: true as const }, onReading: soonAgain };
  const house = await LibraryHouse.open(context, { code }, how);
  const pages = await Promise.all(
    ['1a', '1b'].map(async (name) => {
      house.enter(name, ({ connections }) => {
        counts.set(name, connections.length);
        return 'soon';
      });
      const page = await VisitedPage.open({
        ...how,
        context,
        house,
        name,
        clean: (text) => text,
        onCrash: () => undefined,
      });
      const visit = { ...aVisit(), participant: name };
      const order = { address: `${stage.app.origin}/`, script: libraryScript, visit, deadlineMs: 10_000 };
      expect(await page.join(order)).toBeUndefined();
      return page;
    }),
  );
  try {
    const told = () => Object.fromEntries(counts);
    await soon(told, { timeout: 10_000 }).toEqual({ '1a': 2, '1b': 2 });
    await pages[0]?.leave();
    counts.clear();
    await soon(told, { timeout: 10_000 }).toEqual({ '1b': 2 });
    expect(house.page.isClosed()).toBe(false);
    await pages[1]?.leave();
    expect([house.page.isClosed(), house.enter('1c', soonAgain)]).toEqual([true, false]);
  } finally {
    await context.close();
  }
});
