import { expect, test } from '@playwright/test';
import type { Candidate, TriedLeg } from '../../model/candidate.js';
import { readCandidate } from '../../model/candidate.js';
import type { ProbeFailureCode, TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { neverConnected } from './never-connected.js';

const candidate = (line: string): Candidate => {
  const read = readCandidate(line);
  if (!read) throw new Error(`no candidate: ${line}`);
  return read;
};
const tcp = candidate('a=candidate:1 1 tcp 1671430143 192.0.2.7 8189 typ host tcptype passive');
const udp = (address: string) => candidate(`candidate:1 1 udp 2130706431 ${address} 40000 typ host`);

const failed = (code: ProbeFailureCode, id = '1a', detail = 'no ICE connection in 10.5 s (state checking)') => {
  const { join: _, ...record } = aProbe(id).fails(code, detail).record();
  return { ...record, up: false, join: { answerMs: 70 } };
};

function cause(ofServer: readonly Candidate[], ofProbe = [udp('10.77.0.2')], more: Partial<TrialRecord> = {}) {
  const tried: TriedLeg[] = [{ probe: '1a', leg: '1a', ofProbe, ofServer }];
  return neverConnected({ probes: [failed('ice-timeout'), failed('ice-timeout')], tried, ...more });
}

const why = (...given: Parameters<typeof cause>) => cause(...given)?.because;

test('each way never to connect is told by what was offered, in one sentence', () => {
  const causes = {
    'only loopback addresses': why([udp('127.0.0.1'), udp('::1')]),
    'only private addresses': why([udp('192.168.1.5'), udp('fd00::5')]),
    'TCP alone': why([tcp]),
    'only names': why([candidate('candidate:1 1 udp 2130706431 6ab1c2.local 8189 typ host')]),
    'no candidate': why([]),
    'No answer to STUN': why([udp('127.0.0.1'), udp('203.0.113.9')]),
    'what each side offered is not known': why([], [], { tried: [] }),
  };
  for (const [words, cause] of Object.entries(causes)) {
    expect(cause, words).toContain(words);
    expect(cause?.match(/\.( |$)/g), words).toHaveLength(1);
  }
  expect(causes['only loopback addresses']).toContain('(udp 127.0.0.1, udp ::1), and the probes are at udp 10.77.0.2');
});

test('a private address in the network of a probe is not the cause', () => {
  expect(why([udp('10.77.0.9')])).toContain('No answer to STUN');
});

test('that no repeat helps is sure of loopback alone, seen from networks of their own, and of no other cause', () => {
  const { participant, ...probe } = failed('ice-timeout');
  const probes = [{ ...probe, participant: { ...participant, network: 'poor-3g' } }];
  const loopback = [udp('127.0.0.1'), udp('::1')];
  expect(cause(loopback, undefined, { probes })).toMatchObject({ isSure: true, todo: /announce an address/ });
  expect(cause(loopback)?.isSure).toBeUndefined();
  for (const offered of [[...loopback, udp('203.0.113.9')], [...loopback, tcp], [udp('192.168.1.5')], []])
    expect(cause(offered, undefined, { probes })?.isSure).toBeUndefined();
});

test('ICE without DTLS is a matter of fingerprint or version', () => {
  const probes = [{ ...failed('dtls-timeout'), join: { answerMs: 70, iceConnectedMs: 200 } }];
  expect(why([udp('127.0.0.1')], [], { probes })).toContain('ICE connected and DTLS did not');
});

test('where one had a connection, or failed in another way, it is the server that is judged', () => {
  const connected = { ...failed('ice-timeout'), join: { iceConnectedMs: 100, dtlsConnectedMs: 200 } };
  expect(why([], [], { probes: [failed('ice-timeout'), connected] })).toBeUndefined();
  for (const code of ['refused', 'signalling-timeout', 'server-lost', 'no-media', 'page-crashed'] as const) {
    expect(why([], [], { probes: [failed('ice-timeout'), failed(code)] }), code).toBeUndefined();
  }
  const warmUp = { startedAtMs: 0, endedAtMs: 1, probesAsked: 2, probesUp: 0 };
  expect(why([], [], { warmUp })).toBeDefined();
  expect(why([], [], { warmUp: { ...warmUp, probesUp: 1 } })).toBeUndefined();
});

const noWay = 'native probes connect over UDP and IPv4 alone, and all candidates of the server are of TCP';

test('native probes without a way to the server make no limit of it, and a browser that tried that way tells its cause', () => {
  const native = failed('candidates-unusable', '1b', noWay);
  const viewer = failed('refused', '1a', '404: no such stream');
  const told = `No participant had a way to the media server: ${noWay}.`;
  expect(why([tcp], [], { probes: [native, native] })).toBe(told);
  // The viewer of what 1b would have sent.
  expect(why([tcp], [], { probes: [native, viewer] })).toBe(told);
  expect(why([tcp], [], { probes: [failed('candidates-unusable', '2b', noWay), viewer] })).toBeUndefined();
  expect(why([tcp], [], { probes: [native, failed('ice-timeout')] })).toContain('TCP alone');
  const browser = { ...failed('ice-timeout'), up: true, failures: [] };
  expect(why([tcp], [], { probes: [native, browser] })).toBeUndefined();
});
