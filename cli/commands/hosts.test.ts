import { expect, test } from '@playwright/test';
import { type HostOffer, wireFormat } from '../../probes/hosts/wire.js';
import { hostsText } from './hosts.js';

const offer: HostOffer = {
  instance: 'i1',
  name: 'a',
  wireFormat,
  version: '0.1.0',
  build: 'b1',
  chromium: '156',
  cores: 4,
  memoryMb: 8000,
  boot: 'there',
};
const impairs = { means: 'netem', why: 'kernel 6.1 has netem' } as const;
const wanted = { build: 'b1', version: '0.1.0', boot: 'here' };
const clock = { offsetMs: 0, boundMs: 2 };

test('each host has a line, with why it cannot serve where it cannot', () => {
  const { text, fit } = hostsText(
    [
      {
        offer: { ...offer, place: 'eu', carries: { full: 8, encoded: 40, native: 120 }, memoryFreeMb: 6000, impairs },
        clock,
      },
      { offer: { ...offer, name: 'busy', busyBy: 'ada@desk, process 1' }, clock },
      { offer: { ...offer, name: 'vague' }, clock: { offsetMs: 0, boundMs: 300 } },
      { offer: { ...offer, name: 'near', boot: 'here' } },
    ],
    wanted,
  );
  expect(fit).toBe(2);
  expect(text.split('\n')).toEqual([
    '  ✓ a      eu  4 cores  6000 of 8000 MB free  Chromium 156  carries 120 native, 40 encoded, 8 full  --network by netem  clock ±2 ms',
    '  ✗ busy   -   4 cores  8000 MB               Chromium 156  not calibrated                          no --network        clock ±2 ms    it serves ada@desk, process 1',
    '  ✗ vague  -   4 cores  8000 MB               Chromium 156  not calibrated                          no --network        clock ±300 ms  its clock is known to within 300 ms only (limit 250 ms)',
    '  ✓ near   -   4 cores  8000 MB               Chromium 156  not calibrated                          no --network        this machine',
    '  2 of 4 can serve a run now.',
    '',
  ]);
});

test('a bus without hosts is said to be one', () => {
  expect(hostsText([], wanted)).toEqual({ text: 'No host answers on this bus.\n', fit: 0 });
});
