import { expect, test } from '@playwright/test';
import { type CalibrationStep, calibrationOf, carriesText, nextProbes, nextSessions } from './calibration.js';

const step = (probes: number, carried: boolean, coresPerProbe = 0.02): CalibrationStep => ({
  probes,
  carried,
  ...(carried ? {} : { because: 'The probe host was out of CPU.' }),
  probeCores: probes * coresPerProbe,
  serverCores: 0.01 * probes,
  pssMb: 300 + 10 * probes,
});

/** The numbers tried on a host that carries so many. */
function triedOn(capacity: number, coresPerProbe: number, cores = 2): readonly number[] {
  const steps: CalibrationStep[] = [];
  for (let next = nextProbes(steps, cores); next !== undefined; next = nextProbes(steps, cores)) {
    steps.push(step(next, next <= capacity, coresPerProbe));
  }
  return steps.map(({ probes }) => probes);
}

test('the answer is within a fifth of what the host carries, in a few steps', () => {
  for (const capacity of [2, 5, 8, 20, 41, 75, 140]) {
    const tried = triedOn(capacity, 1.6 / capacity);
    const carried = Math.max(...tried.filter((probes) => probes <= capacity));
    expect(tried.length, `${capacity}: ${tried}`).toBeLessThanOrEqual(8);
    expect(carried, `${capacity}: ${tried}`).toBeGreaterThanOrEqual(Math.min(capacity - 2, capacity / 1.25));
    expect(tried.every((probes) => probes % 2 === 0)).toBe(true);
  }
});

test('what an empty browser takes does not hide how many more there is room for', () => {
  const steps: CalibrationStep[] = [];
  for (let next = nextProbes(steps, 2); next !== undefined; next = nextProbes(steps, 2)) {
    const probeCores = 0.17 + 0.032 * next;
    const serverCores = 0.01 * next;
    steps.push({ probes: next, carried: probeCores + serverCores < 1.94, probeCores, serverCores, pssMb: 0 });
  }
  const tried = steps.map(({ probes }) => probes);
  expect(tried.length, String(tried)).toBeLessThanOrEqual(8);
  expect(calibrationOf(steps).carries, String(tried)).toBeGreaterThanOrEqual(34);
  expect(
    steps.some(({ carried }) => !carried),
    String(tried),
  ).toBe(true);
});

test('a host that carries nothing is tried down to one call and no further', () => {
  expect(triedOn(1, 1)).toEqual([4, 2]);
});

test('costs are those of the largest number that was carried, with the reason why no more', () => {
  expect(calibrationOf([step(4, true), step(60, true), step(72, false)])).toEqual({
    coresPerProbe: 0.02,
    mbPerProbe: 15,
    serverCores: 0.6,
    carries: 60,
    tooMany: 72,
    because: 'The probe host was out of CPU.',
  });
  const of = (carries: number) => ({ carries });
  expect(carriesText({ native: of(120), encoded: of(60), full: of(8) })).toBe(
    'this host carries about 120 native, 60 encoded or 8 full probes',
  );
});

test('whole rooms are tried, none twice, and the answer is the largest number of rooms that the host carries', () => {
  const wrong: string[] = [];
  for (const members of [2, 3, 4, 10])
    for (const capacity of [0, 1, 2, 3]) {
      const steps: CalibrationStep[] = [];
      const most = capacity * members;
      const next = () => nextSessions(steps, 2, members);
      for (let size = next(); size !== undefined; size = next())
        steps.push(step(size * members, size * members <= most, most === 0 ? 1 : 1.6 / most));
      const sizes = steps.map(({ probes }) => probes / members);
      const carried = calibrationOf(steps).carries / members;
      const isTwice = new Set(sizes).size < sizes.length;
      if (isTwice || carried !== capacity || sizes.some((size) => size % 1 > 0))
        wrong.push(`${members} ${capacity}: ${sizes}`);
    }
  expect(wrong).toEqual([]);
});
