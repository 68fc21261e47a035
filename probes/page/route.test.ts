import { expect, test } from '@playwright/test';
import { strayed } from '../../model/turn.js';
import { routeOf } from './route.js';
import { RouteWatch } from './route-watch.js';
import type { StatsEntry, StatsReport } from './stats-report.js';

/** getStats of a connection whose selected pair has this local candidate (Chromium 156). */
function reportWith(local: Readonly<Record<string, unknown>> | undefined): StatsReport {
  const timestamp = 1_795_272_162_537;
  const entries: StatsEntry[] = [
    { id: 'T01', type: 'transport', timestamp, ...(local ? { selectedCandidatePairId: 'CP1' } : {}) },
    { id: 'CP1', type: 'candidate-pair', timestamp, localCandidateId: 'L1', nominated: true },
    { id: 'CP2', type: 'candidate-pair', timestamp, localCandidateId: 'L2', nominated: false },
    { id: 'L1', type: 'local-candidate', timestamp, ...local },
    {
      id: 'L2',
      type: 'local-candidate',
      timestamp,
      candidateType: 'relay',
      relayProtocol: 'tls',
      address: '::1',
      port: 5,
    },
  ];
  return new Map(entries.map((entry) => [entry.id, entry]));
}

const relayed = { candidateType: 'relay', relayProtocol: 'tls', address: '127.0.0.1', port: 49691, protocol: 'udp' };

test('the route of a leg is the local candidate of its selected pair, not of any other', () => {
  expect(routeOf('1a', reportWith(relayed))).toEqual({
    leg: '1a',
    candidateType: 'relay',
    relayProtocol: 'tls',
    relayedAt: '127.0.0.1:49691',
  });
  const url = 'turn:198.51.100.1:3478?transport=udp';
  expect(routeOf('1a', reportWith({ ...relayed, url }))).toMatchObject({ candidateType: 'relay', iceServer: url });
  expect(routeOf('1a', reportWith({ candidateType: 'host', address: '10.0.0.5', port: 9 }))).toEqual({
    leg: '1a',
    candidateType: 'host',
  });
  expect(routeOf('1a', reportWith(undefined))).toBeUndefined();
});

test('a route has strayed when it is not relayed, or not over the protocol that was asked for', () => {
  const leg = '1a';
  expect(strayed({ leg, candidateType: 'relay', relayProtocol: 'tls' }, 'tls')).toBeUndefined();
  expect(strayed({ leg, candidateType: 'prflx' }, 'tls')).toContain(
    'went directly: its selected local candidate is prflx',
  );
  expect(strayed({ leg, candidateType: 'relay', relayProtocol: 'udp' }, 'tls')).toContain('over udp instead of tls');
  expect(strayed({ leg, candidateType: 'relay' }, 'tls')).toContain('instead of tls');
});

test('a relayed probe is proven when every leg has a route, and tells routes when they change', () => {
  const told: unknown[] = [];
  const relay = { url: 'turns:a:1', protocol: 'tls', username: 'u', credential: 'c' } as const;
  const watch = new RouteWatch(relay, ['1a', '1a-2'], (routes) => told.push(routes));
  expect(watch.look([reportWith(relayed), reportWith(undefined)])).toBeUndefined();
  expect(watch.proven).toBe(false);
  watch.look([reportWith(relayed), reportWith(relayed)]);
  watch.look([reportWith(relayed), reportWith(relayed)]);
  expect(watch.proven).toBe(true);
  expect(told).toHaveLength(2);
  expect(watch.look([reportWith(relayed), reportWith({ candidateType: 'host' })])).toContain('leg 1a-2 went directly');
  expect(
    new RouteWatch(undefined, ['1a'], () => undefined).look([reportWith({ candidateType: 'host' })]),
  ).toBeUndefined();
});
