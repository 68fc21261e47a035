import { expect, test } from '@playwright/test';
import type { Manifest } from '../model/run.js';
import { assertSameEnvironment } from './resumed-run.js';

const server = { name: 'kurento 7.3.0', version: '7.3.0', sameHost: true } as Manifest['server'];
const host = { cores: 2, cpuModel: 'x', memoryMb: 4000, kernel: '6', os: 'Debian', node: 'v20.19.0' };
const begun = { loadline: '0.1.0 (build a)', server, host, chromium: { path: '/c', version: '156' } };
const resumed = { manifest: begun as unknown as Manifest, records: [] };

test('a run goes on where nothing that moves its limit has changed', () => {
  expect(() => assertSameEnvironment(resumed, { ...begun, turn: undefined })).not.toThrow();
  const calibrated = { ...host, memoryMb: 4001, tooManyProbes: { full: 8 } };
  expect(() => assertSameEnvironment(resumed, { ...begun, turn: undefined, host: calibrated })).not.toThrow();
});

for (const [what, now] of [
  ['another build', { loadline: '0.1.0 (build b)' }],
  ['another Node', { host: { ...host, node: 'v22.0.0' } }],
  ['another up-link of the server', { server: { ...server, egressLimitBps: 3e6 } }],
  ['another CPU limit of the server', { server: { ...server, cpuLimitCores: 1 } }],
  ['another control group of the server', { server: { ...server, heldTo: { cores: 4 } } }],
  ['a server that was moved', { server: { ...server, sameHost: false } }],
] as const) {
  test(`trials of ${what} do not make one limit with those of before`, () => {
    expect(() => assertSameEnvironment(resumed, { ...begun, turn: undefined, ...now })).toThrow(/cannot go on here/);
  });
}
