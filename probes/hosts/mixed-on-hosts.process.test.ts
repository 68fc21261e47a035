import { expect, test } from '@playwright/test';
import { withoutBrowser } from '../../model/sentinels.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { fleetOf, onHosts } from '../../tests/hosts-stage.js';

const inCalls = (size: number) => oneToOne.sessions(size).flatMap(({ participants }) => participants);
/** Two hosts take turns. */
const nativeIn = (calls: number, sentinels: number) =>
  withoutBrowser(inCalls(calls), {
    sentinels,
    seed: 0,
    hostOf: new Map(inCalls(calls).map(({ id }, nth) => [id, nth % 2 === 0 ? 'a' : 'b'])),
  });

test('who has no browser is decided over all hosts, and each of them has its share of both kinds', () =>
  onHosts([{ name: 'a' }, { name: 'b' }], async (stage) => {
    const { fleet, join } = fleetOf(await stage.pool(), {}, { kind: 'native', sentinels: 6 });
    await join({ size: 20 });
    const native = nativeIn(20, 6);
    expect(native.size).toBe(34);
    expect(fleet.records().flatMap(({ participant, native: is }) => (is ? participant.id : []))).toEqual(
      inCalls(20).flatMap(({ id }) => (native.has(id) ? id : [])),
    );
    for (const { fleets } of stage.hosts) {
      const playedBy = new Map(fleets.map(({ player, joined }) => [player, joined.map(({ id }) => id)]));
      expect([playedBy.get('native')?.length, playedBy.get('browsers')?.length]).toEqual([17, 3]);
      expect(playedBy.get('native')?.every((id) => native.has(id))).toBe(true);
    }
    await fleet.close();
  }));

test('where all are browsers, as in a baseline, hosts start nothing else', () =>
  onHosts([{ name: 'a' }, { name: 'b' }], async (stage) => {
    const pool = await stage.pool();
    const baseline = fleetOf(pool, {}, { kind: 'native', sentinels: 4 });
    await baseline.join({ size: 1 });
    expect(stage.hosts.flatMap(({ fleets }) => fleets.map(({ player }) => player))).toEqual(['browsers', 'browsers']);
    expect(baseline.fleet.records().map(({ native }) => native)).toEqual([undefined, undefined]);
    await baseline.fleet.close();
  }));

test('a host that plays no native probes refuses them, and its native probes are known as such all the same', () =>
  onHosts([{ name: 'a' }, { name: 'b', browsersAlone: true }], async (stage) => {
    const { fleet, events, join } = fleetOf(await stage.pool(), {}, { kind: 'native', sentinels: 4 });
    await join({ size: 4 });
    expect(events.filter(({ type }) => type === 'host-lost')).toMatchObject([
      { host: 'b', detail: 'it refused to join: it plays no native probes' },
    ]);
    const lost = fleet.records().filter(({ host }) => host === 'b');
    const native = nativeIn(4, 4);
    expect(lost.map(({ participant, native: is, failures }) => [participant.id, is, failures[0]?.code])).toEqual(
      lost.map(({ participant: { id } }) => [id, native.has(id) ? true : undefined, 'host-lost']),
    );
    expect(lost.filter(({ native: is }) => is)).toHaveLength(1);
    await fleet.close();
  }));

test('a host that plays a mixture carries as many of it as its kinds leave room for one another', () =>
  onHosts([{ name: 'a', carries: 4 }], async (stage) => {
    // 4 full ones or 120 native ones fill it: of 1 in 10 with a browser, each ten take 1/4 and 9/120 of it.
    const pool = await stage.pool({ probes: { full: 0.1, encoded: 0, native: 0.9 } });
    expect(pool.roomy()).toMatchObject([{ id: 'a', carries: 30 }]);
  }));
