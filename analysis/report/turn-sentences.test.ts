import { expect, test } from '@playwright/test';
import type { LegRoute } from '../../model/turn.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { turnSentences } from './turn-sentences.js';

function said(routes: readonly Omit<LegRoute, 'leg'>[]) {
  const record = aRecord(calls(1), { index: 1, size: 1 });
  const probes = record.probes.map((probe, nth) => {
    const route = routes[nth];
    return route ? { ...probe, routes: [{ leg: probe.participant.id, ...route }] } : probe;
  });
  return turnSentences(aRun([{ ...record, probes }], { outcome: 'found', stable: 1 }));
}

test('connections that went through a TURN server of the media server, though nobody asked, are told with its address', () => {
  const iceServer = 'turns:198.51.100.1:443?transport=tcp';
  const relayed = { candidateType: 'relay', relayProtocol: 'tls', iceServer } as const;
  expect(said([relayed, { candidateType: 'host' }])).toEqual([
    `Warning: 1 of 2 connections of judged trials went through TURN servers that the media server names, though nobody asked for it: ${iceServer}. They are part of what was measured.`,
  ]);
  expect(said([{ candidateType: 'host' }, { candidateType: 'prflx' }])).toEqual([]);
});

test('of several TURN servers those that gave no relay are named beside the one that carried', () => {
  const run = aRun([aRecord(calls(1), { index: 1, size: 1 })], { outcome: 'found', stable: 1 });
  const passedOver = ['turn:198.51.100.1:3478?transport=udp (no answer in 5 s)'];
  const url = 'turn:198.51.100.2:3478?transport=udp';
  const turn = { name: 'coturn 4.6.1', url, protocol: 'udp', ours: false, sameHost: false, passedOver } as const;
  expect(turnSentences({ ...run, manifest: { ...run.manifest, turn } }).join('\n')).toContain(
    `Named before it, and without a relay when the run started: ${passedOver[0]}.`,
  );
});
