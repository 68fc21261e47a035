import { expect, test } from '@playwright/test';
import { planSchema } from '../../model/plan.js';
import type { TooManyProbes } from '../../model/run.js';
import type { Verdict } from '../../model/verdict.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { tooManyProbes } from './calibrated-host.js';
import { judge } from './judge.js';

/** Six full probes, one of which sees little, on a host of 4 cores with so many of them busy. */
const starving = (tooMany: TooManyProbes | undefined, busyCores: number): Verdict => {
  const probes = withProbes(calls(3), aProbe('2b').receivesVideo({ kbps: 200, fps: 12 }));
  return judge({ ...aTrial(probes, { host: () => ({ busyCores, probeCores: 2 }) }), tooMany });
};

test('a failing trial with as many probes as were too many for this host accuses nobody else', () => {
  expect(starving(undefined, 3.6).kind).toBe('unstable');
  expect(starving({ full: 7 }, 3.6).kind).toBe('unstable');
  expect(starving({ encoded: 6 }, 3.6).kind, 'the other kind was too many').toBe('unstable');
  expect(starving({ full: 6 }, 3.6)).toMatchObject({
    kind: 'void',
    probesExhausted: true,
    reasons: [
      {
        code: 'probe-cpu',
        text: 'The probe host had 6 full probes; 6 full alone were too many for it when it was calibrated, and 90 % of its CPU was busy.',
      },
    ],
  });
});

test('native probes count by what was too many of them, beside the browsers among them', () => {
  const probes = withProbes(calls(3), aProbe('2b').receivesVideo({ kbps: 200, fps: 12 }));
  const trial = aTrial(probes, { host: () => ({ busyCores: 3.6, probeCores: 2 }) });
  const isBrowser = new Set(['1a', '1b']);
  const mixed = {
    ...trial,
    probes: trial.probes.map((one) => (isBrowser.has(one.participant.id) ? one : { ...one, native: true as const })),
  };
  expect(judge({ ...mixed, tooMany: { full: 4 } }).kind).toBe('unstable');
  expect(judge({ ...mixed, tooMany: { full: 4, native: 9 } }).kind).toBe('unstable');
  expect(judge({ ...mixed, tooMany: { full: 4, native: 8 } })).toMatchObject({
    kind: 'void',
    reasons: [
      {
        code: 'probe-cpu',
        text: 'The probe host had 4 native and 2 full probes; 8 native or 4 full alone were too many for it when it was calibrated, and 90 % of its CPU was busy.',
      },
    ],
  });
});

test('a host that had room left carries more now than when it was calibrated', () => {
  expect(starving({ full: 6 }, 3).kind).toBe('unstable');
});

test('a stable trial stays stable, however many probes it had', () => {
  const trial = aTrial(calls(3), { host: () => ({ busyCores: 3.6, probeCores: 2 }) });
  expect(judge({ ...trial, tooMany: { full: 4 } }).kind).toBe('stable');
});

test('a calibration says nothing of other scenarios, other media and servers elsewhere', () => {
  const host = { tooManyProbes: { full: 12, encoded: 60 } } as Parameters<typeof tooManyProbes>[0]['host'];
  const said = (scenario: string, sameHost: boolean, media: object = {}) => {
    const plan = planSchema.parse({ scenario, server: { kind: 'embedded' }, media });
    const server = { sameHost } as Parameters<typeof tooManyProbes>[0]['server'];
    return tooManyProbes({ plan, server, host });
  };
  expect(said('one-to-one', true)).toEqual({ full: 12, encoded: 60 });
  expect(said('one-to-one', false)).toBeUndefined();
  expect(said('broadcast', true)).toBeUndefined();
  expect(said('one-to-one', true, { videoCodec: 'H264' })).toBeUndefined();
  expect(said('one-to-one', true, { width: 1280, height: 720 })).toBeUndefined();
});
