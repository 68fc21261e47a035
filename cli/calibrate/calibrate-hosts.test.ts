import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { KindCalibration } from '../../model/calibration.js';
import { findHosts } from '../../probes/hosts/find-hosts.js';
import { onHosts } from '../../tests/hosts-stage.js';
import { soon } from '../../tests/soon.js';
import { calibrateAll } from './calibrate-hosts.js';

const kind = (carries: number): KindCalibration => ({
  ...{ coresPerProbe: 0.1, mbPerProbe: 80, serverCores: 0.2, because: 'its CPU was full', carries },
});
const all = (full: number) => ({ full: kind(full), encoded: kind(5 * full), native: kind(15 * full) });

test('each host measures itself, those of one machine one after the other, and offers from then on what it carries', async () => {
  let busy = 0;
  let mostBusy = 0;
  const calibrate = (full: number) => async () => {
    busy += 1;
    mostBusy = Math.max(mostBusy, busy);
    // Long enough for another order to come over the bus.
    for (let nth = 0; nth < 20; nth += 1) await turn();
    busy -= 1;
    return all(full);
  };
  const boot = 'one machine';
  await onHosts(
    [
      { name: 'a', boot, calibrate: calibrate(8) },
      { name: 'b', boot, calibrate: calibrate(4) },
    ],
    async (stage) => {
      const pool = await stage.pool();
      expect(await calibrateAll(pool.hosts(), new AbortController().signal)).toEqual([
        { id: 'a', ok: true, text: expect.stringContaining('120 native, 40 encoded or 8 full') },
        { id: 'b', ok: true, text: expect.stringContaining('60 native, 20 encoded or 4 full') },
      ]);
      expect(mostBusy).toBe(1);
      const found = await findHosts(stage.bus.client());
      expect(found.map(({ offer }) => offer.carries)).toEqual([
        { full: 8, encoded: 40, native: 120 },
        { full: 4, encoded: 20, native: 60 },
      ]);
    },
  );
});

test('a host that cannot measure itself, or fails to, is said to be none of those that were calibrated', () =>
  onHosts([{ name: 'a' }, { name: 'b', calibrate: () => Promise.reject(new Error('no camera')) }], async (stage) => {
    const pool = await stage.pool();
    expect(await calibrateAll(pool.hosts(), new AbortController().signal)).toEqual([
      { id: 'a', ok: false, text: 'was not calibrated: it cannot calibrate itself' },
      { id: 'b', ok: false, text: 'was not calibrated: no camera' },
    ]);
  }));

test('a host whose conductor lets go of it ends measuring', async () => {
  let ended: string | undefined;
  const calibrate = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        ended = String(signal.reason);
        reject(signal.reason);
      });
    });
  await onHosts([{ name: 'a', calibrate }], async (stage) => {
    const pool = await stage.pool();
    const [host] = pool.hosts();
    const asked = host?.order({ do: 'calibrate' }, new AbortController().signal).catch(() => undefined);
    await soon(() => stage.hosts[0]?.said.at(-1)).toMatch(/^Measures what it carries/);
    await pool.close();
    await asked;
    expect(ended).toBe('Error: the conductor has let this host go');
  });
});
