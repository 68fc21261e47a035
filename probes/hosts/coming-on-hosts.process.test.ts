import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import type { ArrivedJoin, EndedStay } from '../../model/join.js';
import type { Players } from '../../model/players.js';
import type { Participant } from '../../model/scenario.js';
import { withoutBrowser } from '../../model/sentinels.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { browsingFleets } from '../../tests/arrivals/browsing-trial.js';
import { withLateBrowsers } from '../../tests/arrivals/late-browser.js';
import { long } from '../../tests/effort.js';
import { fleetOf, type HostStory, onHosts } from '../../tests/hosts-stage.js';
import { soon } from '../../tests/soon.js';
import { stillHeld } from '../../tests/still-held.js';
import { browserPlayer } from '../chromium/browser-player.js';
import type { Arriving } from '../fleet.js';
import { localFleets } from '../local-fleet.js';
import type { HostPool } from './host-pool.js';

const startArriving: HostStory['startArriving'] = (now) =>
  browsingFleets({ ...wallClock, nowMs: now }, { describeMs: 5, mediaMs: 20 });
const two: readonly HostStory[] = [
  { name: 'a', startArriving },
  { name: 'b', startArriving },
];

interface Load {
  readonly participants: readonly Participant[];
  readonly everyMs: number;
  readonly holdMs: number;
  readonly partyOf?: Arriving['partyOf'];
  readonly players?: Players;
  readonly atOnce?: Arriving['atOnce'];
  /** How long the media server takes. */
  readonly serverMs?: number;
}

/** Parties that are due one after the other on the hosts of a pool, and what is told of them. */
async function coming(pool: HostPool, load: Load) {
  const { participants, everyMs, holdMs, serverMs = 0, partyOf = ({ session }) => session, atOnce = () => 2 } = load;
  const played = fleetOf(pool, {}, load.players);
  const joins: ArrivedJoin[] = [];
  const stays: EndedStay[] = [];
  const ended: string[] = [];
  const asleep: (string | undefined)[] = [];
  const agreed: WeakRef<object>[] = [];
  const parties = [...new Set(participants.flatMap((one) => partyOf(one) ?? []))];
  let beginMs = Date.now();
  const signal = new AbortController().signal;
  const options = {
    ...{ pacePerSecond: 1, deadlineMs: 2000, signal },
    negotiate: async ({ offer }: { readonly offer: string }) => {
      await sleep(serverMs);
      const negotiated = { answer: `answer to ${offer}`, addCandidate: async () => undefined };
      agreed.push(new WeakRef(negotiated));
      return negotiated;
    },
    arriving: {
      ...{ nowMs: Date.now, partyOf, atOnce, stayMs: () => holdMs },
      dueMs: (one: Participant) => beginMs + everyMs * Math.max(0, parties.indexOf(partyOf(one) ?? '')),
      legsOf: ({ legs }: Participant) => legs,
      end: async (party: string) => void ended.push(party),
      onJoin: (join: ArrivedJoin) => void joins.push(join),
      onStay: (stay: EndedStay) => void stays.push(stay),
      onAsleep: (_: number, host?: string) => void asleep.push(host),
    },
  };
  await played.fleet.standBy?.(participants, options);
  beginMs = Date.now() + 100;
  const come = (whom = participants) => played.fleet.join(whom, options);
  return { ...played, come, joins, stays, ended, asleep, agreed, dueMs: options.arriving.dueMs };
}

const calls = (size: number) => oneToOne.sessions(size).flatMap(({ participants }) => participants);

test('each comes on its host when it is due, and a call whose ends are on two hosts leaves on both', () =>
  onHosts(two, async (stage) => {
    const participants = calls(3);
    const trial = await coming(await stage.pool(), { participants, everyMs: 200, holdMs: 300 });
    await trial.come();
    const { joins, stays, ended, fleet } = trial;
    expect(joins.map(({ participant, host }) => `${participant} ${host}`).sort()).toEqual(
      ['1a a', '1b b', '2a a', '2b b', '3a a', '3b b'].sort(),
    );
    for (const { participant, dueMs, begunMs = 0, firstFrameMs = 0, failure } of joins) {
      const one = participants.find(({ id }) => id === participant);
      expect(failure).toBeUndefined();
      expect(dueMs).toBe(one && trial.dueMs(one));
      expect(begunMs).toBeGreaterThanOrEqual(dueMs - 2);
      expect(firstFrameMs).toBeGreaterThan(begunMs);
    }
    await soon(() => ended).toEqual(['1', '2', '3']);
    expect(stays.map(({ party, inMs }) => [party, inMs !== undefined])).toEqual(ended.map((party) => [party, true]));
    for (const { host, there } of fleet.records()) {
      expect(['a', 'b']).toContain(host);
      expect((there?.untilMs ?? 0) - (there?.fromMs ?? 0)).toBeGreaterThanOrEqual(290);
    }
    const hungUp = stage.bus.asked.filter(({ text }) => text.includes('"hang-up"'));
    expect(hungUp).toHaveLength(6);
    // Those who have left cost nothing to the end of the trial.
    await soon(() => stillHeld(trial.agreed)).toEqual(Array.from({ length: 6 }, () => false));
    await fleet.leave();
    await fleet.close();
    expect(trial.asleep.length).toBeGreaterThan(10);
    // Timers of this process are watched, too.
    expect([...new Set(trial.asleep)].sort()).toEqual(['a', 'b', undefined]);
  }));

test('what the media server takes is told without the way over the bus', () =>
  onHosts(two, async (stage) => {
    const { come, joins, fleet } = await coming(await stage.pool(), {
      ...{ participants: calls(1), everyMs: 0, holdMs: 50, serverMs: 60 },
    });
    await come();
    for (const { servedMs = 0, describedMs = 0, answeredMs = 0 } of joins) {
      expect(servedMs).toBeGreaterThanOrEqual(58);
      expect(servedMs).toBeLessThanOrEqual(answeredMs - describedMs + 2);
    }
    await fleet.close();
  }));

test('a presenter is there before its viewers come, and stays; each viewer leaves by itself', () =>
  onHosts(two, async (stage) => {
    const participants = broadcast.sessions(3).flatMap((session) => session.participants);
    const partyOf = ({ id, presents }: Participant) => (presents ? undefined : id);
    const trial = await coming(await stage.pool(), { participants, everyMs: 100, holdMs: 150, partyOf });
    await trial.come(participants.filter(({ presents }) => presents));
    await trial.come(participants.filter(({ presents }) => !presents));
    await soon(() => trial.ended).toHaveLength(3);
    const left = trial.fleet.records().map(({ participant, up, there }) => [participant.id, up, there?.untilMs]);
    const later = expect.any(Number);
    expect(left).toEqual([
      ['1p', true, undefined],
      ['1v1', true, later],
      ['1v2', true, later],
      ['1v3', true, later],
    ]);
    const stay = stage.bus.asked.flatMap(({ text }) => /"arriving":(\{.*?\}\})/.exec(text)?.[1] ?? []);
    expect(stay.map((text) => JSON.parse(text))).toEqual([
      { stay: ['1p'], atOnce: { browsers: 2 } },
      { stay: [], atOnce: { browsers: 2 } },
    ]);
    await trial.fleet.close();
  }));

test('of native probes that come, each host is told its own, with the browsers among them, and how many of each are there at a time', () =>
  onHosts(two, async (stage) => {
    const participants = calls(6);
    const atOnce = (among: readonly Participant[]) => Math.ceil(among.length / 2);
    const load = { participants, everyMs: 20, holdMs: 50, players: { kind: 'native' as const, sentinels: 4 }, atOnce };
    const trial = await coming(await stage.pool(), load);
    await trial.come();
    const hostOf = new Map(participants.map(({ id }, nth) => [id, nth % 2 === 0 ? 'a' : 'b']));
    const native = withoutBrowser(participants, { sentinels: 4, seed: 0, hostOf });
    const casts = stage.bus.asked.flatMap(({ text }) => /"cast":(\{.*?\})/.exec(text)?.[1] ?? []);
    const natives: string[][] = casts.map((text) => JSON.parse(text).native);
    expect(natives.flat().sort()).toEqual([...native].sort());
    expect(natives.map(({ length }) => length)).toEqual([3, 3]);
    const orders = stage.bus.asked.flatMap(({ text }) => /"atOnce":(\{.*?\})/.exec(text)?.[1] ?? []);
    expect(orders.map((text) => JSON.parse(text))).toEqual(Array(2).fill({ browsers: 2, native: 2 }));
    await soon(() => trial.ended).toHaveLength(6);
    await trial.fleet.close();
  }));

test('a host that is cut off for a moment when its own leave is told again, and they leave once', long, () =>
  onHosts(two, async (stage) => {
    const { come, ended, fleet } = await coming(await stage.pool(), {
      ...{ participants: calls(1), everyMs: 0, holdMs: 1500 },
    });
    await come();
    const [, cut] = stage.hosts;
    if (cut) cut.client.isCut = true;
    const orders = () =>
      stage.bus.asked.flatMap(({ subject, text }) =>
        subject.includes('.b.') && text.includes('"hang-up"') ? [JSON.parse(text).id] : [],
      );
    await soon(() => orders().length).toBeGreaterThan(1);
    expect(ended).toEqual([]);
    if (cut) cut.client.isCut = false;
    await soon(() => ended).toEqual(['1']);
    expect(new Set(orders()).size).toBe(1);
    await fleet.close();
  }),
);

test('a host that is lost fails those who are on it or were to come, and nobody who had left', () =>
  onHosts(two, async (stage) => {
    const trial = await coming(await stage.pool(), { participants: calls(3), everyMs: 400, holdMs: 100 });
    const over = trial.come();
    await soon(() => trial.ended).toEqual(['1']);
    await stage.hosts[1]?.agent.close('it was asked to end (SIGTERM)');
    await over;
    const lost = trial.events.find(({ type }) => type === 'host-lost');
    expect(lost).toMatchObject({ host: 'b', detail: 'it was asked to end (SIGTERM)' });
    expect(lost && 'probes' in lost && lost.probes).toEqual(['2b', '3b']);
    expect(trial.joins.find(({ participant }) => participant === '3b')?.failure).toMatchObject({ code: 'host-lost' });
    const failed = trial.fleet.records().flatMap(({ participant, failures: [first] }) => first && [participant.id]);
    expect(failed.filter((one) => one !== undefined)).toEqual(['2b', '3b']);
    // Nobody waits for its word that they have left.
    await soon(() => [...trial.ended].sort()).toEqual(['1', '2', '3']);
    await trial.fleet.close();
  }));

test('a browser that is late on one host fails those of that host before anybody comes, and ends no run', () => {
  const late: HostStory['startArriving'] = (now) =>
    localFleets(browserPlayer(withLateBrowsers), { ...wallClock, nowMs: now });
  const hosts = [
    { name: 'a', startArriving },
    { name: 'b', startArriving: late },
  ];
  return onHosts(hosts, async (stage) => {
    const { fleet } = await coming(await stage.pool(), { participants: calls(2), everyMs: 0, holdMs: 50 });
    const codes = fleet.records().map(({ failures: [first] }) => first?.code);
    expect(codes).toEqual([undefined, 'browser-start', undefined, 'browser-start']);
    await fleet.close();
  });
});

test('more participants than a host can be told of are refused before anything starts, and no host is lost', () =>
  onHosts(two, async (stage) => {
    const pool = await stage.pool();
    const load = { participants: calls(5001), everyMs: 0, holdMs: 50 };
    await expect(coming(pool, load)).rejects.toMatchObject({ code: 'E_HOSTS' });
    expect(pool.lostHosts()).toEqual([]);
  }));
