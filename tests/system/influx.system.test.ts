import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { readRun } from '../../store/run-directory/read-run.js';
import { runLoadline } from '../cli/run-loadline.js';
import { dashboardsWithoutData } from '../dashboard-data.js';
import { ofMarksAlone } from '../dashboard-queries.js';
import { type InfluxServer, openInflux } from '../influx-server.js';
import { isInstalled } from '../installed.js';

const hasInflux = isInstalled(['influxd']);
/** coturn says its help and ends; where it is missing, nothing can be relayed. */
const hasTurn = isInstalled(['turnserver']);
/** What a trial in which nothing goes wrong has none of. */
const mayBeEmpty = hasTurn ? /Smallest unstable size/ : /Smallest unstable size|TURN server/;

test.describe('a real trial and its copy in a real InfluxDB', () => {
  test.skip(!hasInflux, 'needs influxd (Debian: apt-get install influxdb)');
  let influx: InfluxServer;
  let out: string;
  test.beforeEach(async () => {
    influx = await openInflux();
    out = await mkdtemp(join(tmpdir(), 'loadline-influx-system-'));
  });
  test.afterEach(async () => {
    await influx.dispose();
    await rm(out, { recursive: true, force: true });
  });

  test('every point arrives though InfluxDB dies in mid-trial, dashboards show them, and no file knows the login', async () => {
    const login = { LOADLINE_INFLUX_USER: influx.user, LOADLINE_INFLUX_PASSWORD: influx.password };
    const relayed = hasTurn ? ['--turn', 'udp'] : [];
    const asked = ['try', 'one-to-one', '--size', '1', '--measure', '12s', '--settle', '4s', ...relayed];
    const running = runLoadline([...asked, '--influx', influx.address, '--out', out, '--format', 'json'], login);
    await measuring(out);
    await sleep(2000);
    await influx.kill();
    await sleep(4000);
    await influx.start();
    const ended = await running;
    // Reset, where a request was under way when it died.
    expect(ended.stderr).toMatch(/ECONN(REFUSED|RESET)/);
    expect(ended.exitCode).toBe(0);
    const account = /: (\d+) of (\d+) points written, (\d+) of them sent more than once$/m.exec(ended.stderr);
    const [written, given, resent] = (account ?? []).slice(1).map(Number);
    expect(written).toBe(given);
    expect(resent).toBeGreaterThan(0);
    expect(await influx.count()).toBe(written);

    const folder = join(out, (await readdir(out))[0] ?? '');
    const run = await readRun(folder);
    expect(run.records.map((record) => record.verdict.kind)).toEqual(['stable']);

    const exported = await runLoadline(['export', folder, '--influx', influx.address], login);
    expect(exported.stdout).toMatch(new RegExp(`: ${given} of ${given} points written\\n$`));
    expect(await influx.count()).toBe(written);

    const empty = (await dashboardsWithoutData(influx, run)).filter((where) => !ofMarksAlone.test(where));
    expect(empty.filter((where) => !mayBeEmpty.test(where))).toEqual([]);

    const everything = `${ended.stdout}${ended.stderr}${exported.stdout}${exported.stderr}${await textOf(folder)}`;
    expect(everything).toContain('"--influx"');
    for (const secret of [influx.password, Buffer.from(`${influx.user}:${influx.password}`).toString('base64')]) {
      expect(everything).not.toContain(secret);
    }
  });
});

async function measuring(out: string): Promise<void> {
  const untilMs = Date.now() + 60_000;
  while (Date.now() < untilMs) {
    const [run = ''] = await readdir(out);
    const events = await readFile(join(out, run, 'events.jsonl'), 'utf8').catch(() => '');
    if (events.includes('"phase":"measure"')) return;
    await sleep(100);
  }
  throw new Error('no trial came to measure within a minute');
}

/** Every file of a folder as text, compressed ones unpacked. */
async function textOf(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  const texts = files.map(async (file) => {
    const bytes = await readFile(join(file.parentPath, file.name));
    return (file.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  });
  return (await Promise.all(texts)).join('\n');
}
