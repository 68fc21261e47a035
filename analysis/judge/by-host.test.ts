import { expect, test } from '@playwright/test';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import type { JudgeInput } from './judge-input.js';

const starving = aProbe('2b').receivesVideo({ kbps: 200, fps: 12 });
const [here, there]: readonly [ProbeHost, ProbeHost] = [{ id: 'here', besideConductor: true }, { id: 'there' }];

/**
 * Callers are here, where the media server may be, too, and callees there; each host of 4 cores is as its reading says.
 */
function onTwo(
  readings: Readonly<Record<'here' | 'there', Partial<ProbeHostReading>>>,
  { probes = withProbes(calls(3), starving), serverCores = 0.1, hosts = [here, there] } = {},
): JudgeInput {
  const trial = aTrial(probes, { server: () => ({ cpuCores: serverCores }) });
  const hostOf = (id: string) => (id.endsWith('a') ? 'here' : 'there');
  return {
    ...trial,
    hosts,
    probes: trial.probes.map((probe) => ({ ...probe, host: hostOf(probe.participant.id) })),
    evidence: {
      ...trial.evidence,
      probeHost: trial.evidence.probeHost.flatMap((reading) =>
        (['here', 'there'] as const).map((host) => ({ ...reading, host, ...readings[host] })),
      ),
    },
  };
}

const idle = { busyCores: 1, probeCores: 0.8 };
const texts = (input: JudgeInput) => judge(input).reasons.map(({ text }) => text);

test('two hosts that have room accuse the server as one does', () => {
  const verdict = judge(onTwo({ here: idle, there: idle }));
  expect(verdict.kind).toBe('unstable');
  expect(verdict.reasons).toMatchObject([
    { probe: '2b', host: 'there' },
    { probe: '2b', host: 'there' },
  ]);
  expect(verdict.reasons.map(({ text }) => text).join(' ')).not.toContain('host');
});

test('a host that is full makes a failing trial void, also where the probes that fail are on another one', () => {
  const full = { busyCores: 4, probeCores: 3.9 };
  for (const [host, readings] of [
    ['here', { here: full, there: idle }],
    ['there', { here: idle, there: full }],
  ] as const) {
    const verdict = judge(onTwo(readings));
    expect(verdict).toMatchObject({ kind: 'void', probesExhausted: true });
    expect(verdict.reasons).toMatchObject([{ code: 'probe-cpu', host }]);
    expect(verdict.reasons[0]?.text).toContain(`The probe host ${host} was out of CPU in 60 of 60 s`);
  }
});

test('two hosts that are half full each are not one that is full', () => {
  expect(judge(onTwo({ here: { busyCores: 2.2, probeCores: 2 }, there: { busyCores: 2.2, probeCores: 2 } })).kind).toBe(
    'unstable',
  );
});

test('a media server takes CPU from the probes of its own machine, and from no other', () => {
  const probeCores = { busyCores: 3, probeCores: 1.96 };
  const beside = texts(onTwo({ here: probeCores, there: idle }, { serverCores: 2 }));
  expect(beside).toEqual([expect.stringContaining('The probe host here was out of CPU')]);
  expect(judge(onTwo({ here: idle, there: probeCores }, { serverCores: 2 })).kind).toBe('unstable');
});

test('memory, steal and quota are each told of the host that lacks them', () => {
  expect(texts(onTwo({ here: idle, there: { memoryAvailableMb: 100 } }))).toEqual([
    'The probe host there had 100 MB of memory left while measuring (limit 256 MB).',
  ]);
  expect(texts(onTwo({ here: { stealCores: 2 }, there: idle }))).toEqual([
    "Other virtual machines took 50 % of the probe host here's CPU while measuring.",
  ]);
  expect(texts(onTwo({ here: idle, there: { throttledShare: 0.3 } }))).toEqual([
    'A CPU quota (cgroup) held the browsers of host there back 30 % of the time while measuring (limit 10 %).',
  ]);
});

test('what was found too many for a host counts against the probes on that host alone', () => {
  const busy = { busyCores: 3.6, probeCores: 2 };
  const tooMany = (full: number) => judge({ ...onTwo({ here: busy, there: busy }), tooMany: { full } });
  expect(tooMany(4).kind, 'three of the six are here').toBe('unstable');
  expect(tooMany(3)).toMatchObject({ kind: 'void', reasons: [{ code: 'probe-cpu', host: 'here' }] });
});

test('a page that is late is told with its host', () => {
  const late: readonly ProbeBuilder[] = withProbes(calls(3), starving, aProbe('1a').isRead({ lateMs: () => 400 }));
  expect(texts(onTwo({ here: idle, there: idle }, { probes: [...late] }))).toEqual([
    'The page of 1a was over 300 ms late in 60 of 60 seconds, at worst 400 ms; 1a is on host here.',
  ]);
});

test('a host that the trial does not name is judged by its readings all the same', () => {
  const full = { busyCores: 4, probeCores: 3.9 };
  expect(judge(onTwo({ here: idle, there: full }, { hosts: [here] })).reasons).toMatchObject([{ host: 'there' }]);
});

test('evidence that names no host is of the one host, and gets reasons without one', () => {
  const trial = aTrial(withProbes(calls(3), starving), { host: () => ({ busyCores: 4, probeCores: 3.9 }) });
  const { reasons } = judge(trial);
  expect(reasons.map(({ code, host }) => [code, host])).toEqual([['probe-cpu', undefined]]);
  expect(judge({ ...trial, hosts: [{ id: 'local', besideConductor: true }] })).toEqual(judge(trial));
});
