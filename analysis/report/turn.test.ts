import { expect, test } from '@playwright/test';
import type { TurnReading } from '../../model/evidence.js';
import type { RecordedEnd } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from '../judge/judge.js';
import { turnFaults } from '../judge/server-drops.js';
import { verdictOfTrial } from '../judge/trial-verdict.js';

const losing = withProbes(calls(2), aProbe('1a').receivesVideo({ lossPercent: 20 }));

function readings(each: Omit<TurnReading, 'atMs'>): readonly TurnReading[] {
  return Array.from({ length: 60 }, (_, second) => ({ atMs: startMs + (second + 1) * 1000, ...each }));
}

const lost = (ours: boolean): RecordedEnd => ({ kind: 'turn-lost', detail: 'ended by SIGKILL', ours });
const codes = (verdict: ReturnType<typeof judge>) => verdict.reasons.map(({ code }) => code);

test('a probe that went another way than through the relay makes a trial void, by that name', () => {
  const direct = aProbe('1a').fails('not-relayed', 'leg 1a went directly: its selected local candidate is host', true);
  const verdict = judge(aTrial(withProbes(calls(2), direct)));
  expect(verdict.kind).toBe('void');
  expect(codes(verdict)).toEqual(['not-relayed']);
  expect(verdict.reasons[0]?.text).toContain('went directly');
  expect(verdict.probesExhausted).toBe(false);
});

test('a relay of ours that goes away makes a trial void, one that was there makes it unstable', () => {
  const ours = verdictOfTrial(lost(true), true, aTrial(losing));
  expect([ours.kind, ...codes(ours)]).toEqual(['void', 'turn-lost']);
  const given = verdictOfTrial(lost(false), true, aTrial(calls(2)));
  expect([given.kind, ...codes(given)]).toEqual(['unstable', 'turn-lost']);
  expect(given.reasons[0]?.text).toBe('The TURN server went away: it ended by SIGKILL.');
});

test('a relay that was gone before anybody joined says nothing about a size', () => {
  expect(verdictOfTrial(lost(false), false, aTrial(calls(2))).kind).toBe('void');
});

test('what a relay of ours dropped excuses the media server, and what a given one dropped does not', () => {
  const trial = aTrial(losing);
  const evidence = { ...trial.evidence, turn: readings({ udpDrops: 100 }) };
  const ours = judge({ ...trial, evidence, turnIsOurs: true });
  expect([ours.kind, ...codes(ours)]).toEqual(['void', 'probe-cpu']);
  expect(ours.reasons[0]?.text).toContain('TURN server that this run had started');
  expect(judge({ ...trial, evidence, turnIsOurs: false }).kind).toBe('unstable');
  const few = {
    ...trial.evidence,
    turn: readings({ udpDrops: 0 }).map((one, at) => (at === 5 ? { ...one, udpDrops: 1 } : one)),
  };
  expect(judge({ ...trial, evidence: few, turnIsOurs: true }).kind).toBe('unstable');
});

test('what a relay of ours dropped is a share of what probes sent and of what came to them', () => {
  const trial = aTrial(calls(1));
  const of = { leg: '1a', kind: 'audio' } as const;
  const streams = [
    { ...of, direction: 'send', metrics: { packetsSent: 10_000 } },
    { ...of, direction: 'receive', metrics: { packetsReceived: 10_000 } },
  ] as const;
  const samples = [{ probe: '1a', atMs: startMs + 3000, intervalMs: 1000, lateMs: 0, legs: [], streams }];
  const faults = (udpDrops: number) => {
    const turn = readings({ udpDrops: 0 }).map((one, at) => (at === 5 ? { ...one, udpDrops } : one));
    return turnFaults({ ...trial, samples, evidence: { ...trial.evidence, turn }, turnIsOurs: true });
  };
  // 0.74 %, and 1.07 %.
  expect(faults(150)).toEqual([]);
  expect(faults(216)[0]?.reason.measured).toBeCloseTo((100 * 216) / 20_216, 9);
});

test('the CPU of the relay is not that of others: a host that it fills is the limit of the probes', () => {
  const full = { busyCores: 4, probeCores: 2 };
  const trial = aTrial(losing, { host: () => full });
  expect(codes(judge(trial))).toEqual(['environment']);
  const evidence = { ...trial.evidence, turn: readings({ cpuCores: 1.8 }) };
  const verdict = judge({ ...trial, evidence, turnIsOurs: true });
  expect(codes(verdict)).toEqual(['probe-cpu']);
  expect(verdict.probesExhausted).toBe(true);
});
