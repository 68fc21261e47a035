import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { oneToOne } from '../scenarios/one-to-one.js';
import { readInfluxAddress } from '../store/influx/influx-address.js';
import { influxTarget } from '../store/influx/influx-writer.js';
import { copySink } from '../store/points/copy-sink.js';
import { exportRun } from '../store/points/export-run.js';
import { PointSender, type SenderOptions } from '../store/points/point-sender.js';
import { readRun } from '../store/run-directory/read-run.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { tryOnce } from '../trial/find-limit.js';
import type { Clock } from '../trial/parts.js';
import { dashboardsWithoutData } from './dashboard-data.js';
import { ofMarksAlone } from './dashboard-queries.js';
import { long } from './effort.js';
import { type InfluxServer, openInflux } from './influx-server.js';
import { isInstalled } from './installed.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';
import { recordedRun } from './stored-runs.js';

const hasInflux = isInstalled(['influxd']);
const speed = 8;

test.describe('a run and its copy in a real InfluxDB 1.x', () => {
  test.skip(!hasInflux, 'needs influxd (Debian: apt-get install influxdb)');
  let influx: InfluxServer;
  let parent: string;
  test.beforeEach(async () => {
    influx = await openInflux();
    parent = await mkdtemp(join(tmpdir(), 'loadline-copy-'));
  });
  test.afterEach(async () => {
    await influx.dispose();
    await rm(parent, { recursive: true, force: true });
  });

  const senderTo = (password = influx.password, options: Partial<SenderOptions> = {}) => {
    const target = influxTarget(readInfluxAddress(influx.address), { user: influx.user, password });
    return new PointSender(target, { onTrouble: () => undefined, gatherMs: 100, longestPauseMs: 300, ...options });
  };

  /** Two trials, one of one call and one of four, on a simulated server at eight times the pace of real time. */
  async function run(sender: PointSender, meanwhile: () => Promise<void> = async () => undefined) {
    const runDirectory = await createRunDirectory({
      parent,
      scenario: 'one-to-one',
      server: 'simulated',
      startedAtMs: Date.now(),
    });
    const startMs = Date.now();
    const again = 'loadline export RUN --influx URL';
    const copy = copySink({ to: sender, run: basename(runDirectory), scenario: oneToOne, again });
    const { parts } = aSimulatedRun(
      { capacity: 18, startMs, clock: quickClock(startMs) },
      { sinks: [runDirectorySink(runDirectory), copy], runDirectory },
    );
    const plan = aPlan({}, { settleMs: 4000, measureMs: 16_000 });
    const beside = meanwhile();
    const result = await tryOnce({ plan, scenario: oneToOne }, 4, parts, new AbortController().signal);
    await beside;
    return { result, stored: await readRun(runDirectory), copy, runDirectory };
  }

  test('has every point, while it runs, and an export of the stored run changes nothing', long, async () => {
    const sender = senderTo();
    let during = 0;
    const { stored, copy } = await run(sender, async () => {
      await sleep(2500);
      during = await influx.count();
    });
    const { given, written, lost, resent } = sender.account;
    expect(during).toBeGreaterThan(20);
    expect({ written, lost, resent }).toEqual({ written: given, lost: 0, resent: 0 });
    expect(await influx.count()).toBe(given);
    expect(copy.account?.()).toMatch(new RegExp(`database loadline\\): ${given} of ${given} points written$`));

    const again = senderTo();
    await exportRun(stored, basename(stored.directory), again);
    await again.close();
    expect(again.account).toMatchObject({ given, written: given, lost: 0 });
    expect(await influx.count()).toBe(given);
  });

  test(
    'an InfluxDB that dies in mid-trial and comes back has everything in the end, and the trial never noticed',
    long,
    async () => {
      const sender = senderTo();
      const { result, stored } = await run(sender, async () => {
        await sleep(1500);
        await influx.kill();
        await sleep(2500);
        await influx.start();
      });
      const { given, written, lost, resent } = sender.account;
      expect({ written, lost }).toEqual({ written: given, lost: 0 });
      expect(resent).toBeGreaterThan(0);
      expect(await influx.count()).toBe(written);
      expect(result.trials.map(({ size, verdict }) => `${size} ${verdict}`)).toEqual(['1 stable', '4 stable']);
      expect(stored.warnings).toEqual([]);
      for (const { load } of stored.records) expect(load.samplesGot).toBe(load.samplesExpected);
    },
  );

  test(
    'an InfluxDB that stays away costs the copy, to the last point, and nothing else; an export fills it in',
    long,
    async () => {
      const sender = senderTo(influx.password, { closingPatienceMs: 300 });
      let before = 0;
      const { result, stored: storedRun } = await run(sender, async () => {
        await sleep(1500);
        await influx.kill();
        before = sender.account.written;
      });
      const { given, written, lost } = sender.account;
      expect(result.trials.at(-1)?.verdict).toBe('stable');
      expect(written).toBe(before);
      expect(lost).toBe(given - written);
      await influx.start();
      // A batch may have been stored whose answer was lost with the database: lost is what nobody has acknowledged.
      const stored = await influx.count();
      expect(stored).toBeGreaterThanOrEqual(written);
      expect(stored).toBeLessThan(given);
      const filling = senderTo();
      await exportRun(storedRun, basename(storedRun.directory), filling);
      await filling.close();
      expect(filling.account).toMatchObject({ given, written: given, lost: 0 });
      expect(await influx.count()).toBe(given);
    },
  );

  test('of a stored run with real media every panel has data: sound, and the limits as lines', long, async () => {
    const stored = await readRun(recordedRun);
    const sender = senderTo();
    await exportRun(stored, basename(stored.directory), sender);
    await sender.close();
    // Nothing failed in it, it had no relay, and its senders wrote no marks.
    const empty = (await dashboardsWithoutData(influx, stored)).filter((one) => !ofMarksAlone.test(one));
    expect(empty.filter((one) => !/TURN server|silent-/.test(one))).toEqual([]);
  });

  test('a login that may not write loses the copy with the reason, and no file of the run knows it', long, async () => {
    const sender = senderTo('wrong-password-7781', { closingPatienceMs: 300 });
    const { result, copy, runDirectory } = await run(sender);
    expect(result.trials.at(-1)?.verdict).toBe('stable');
    expect(sender.account).toMatchObject({ written: 0, lost: sender.account.given });
    expect(copy.account?.()).toMatch(/lost \(it answered 401: authorization failed\)\. loadline export/);
    const text = `${await everythingIn(runDirectory)}${copy.account?.()}${copy.description}`;
    expect(text).toContain('one-to-one');
    for (const secret of [
      'wrong-password-7781',
      Buffer.from(`${influx.user}:wrong-password-7781`).toString('base64'),
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});

function quickClock(startMs: number): Clock {
  const begunMs = Date.now();
  return {
    nowMs: () => startMs + (Date.now() - begunMs) * speed,
    sleep: (ms, signal) => sleep(ms / speed, undefined, { signal }),
  };
}

/** Every file of a folder, compressed ones unpacked. */
async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map(async (file) => {
        const bytes = await readFile(join(file.parentPath, file.name));
        return (file.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      }),
  );
  return texts.join('\n');
}
