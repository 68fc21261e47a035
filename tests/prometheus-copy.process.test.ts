import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { oneToOne } from '../scenarios/one-to-one.js';
import { copySink } from '../store/points/copy-sink.js';
import type { DataPoint } from '../store/points/data-point.js';
import { exportRun } from '../store/points/export-run.js';
import { accountText, type PointSink } from '../store/points/point-sink.js';
import { prometheus } from '../store/prometheus/prometheus-kind.js';
import { readRun } from '../store/run-directory/read-run.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { scrape } from '../store/scrape/scrape-kind.js';
import { type PointValues, valuesOf } from '../store/series/series.js';
import { SeriesPoints } from '../store/series/series-points.js';
import { tryOnce } from '../trial/find-limit.js';
import { ofMarksAlone } from './dashboard-queries.js';
import { dashboardsWithoutSeries } from './dashboard-series.js';
import { long } from './effort.js';
import { keptPoints } from './kept-points.js';
import { hasPrometheus, openPrometheus, type PrometheusServer } from './prometheus-server.js';
import { endOf, storedValues, valuesIn } from './prometheus-values.js';
import { aPlan, aSimulatedRun } from './simulated-run.js';
import { soon } from './soon.js';

test.beforeEach(() => test.slow());

/** What a try that goes well on a simulated server has none of. */
const notSimulated = /loadline_(run_unstable|turn_\w+|server_(threads|open_files|udp_drops|egress_kbps))\{|silent-/;
const nothing: PointValues = { labels: {}, atMs: 0, values: [] };
const surroundings = { env: {}, onTrouble: () => undefined };

test.describe('a run and its copy in a real Prometheus', () => {
  test.skip(!hasPrometheus, 'needs prometheus (Debian: apt-get install prometheus)');
  let server: PrometheusServer;
  let parent: string;
  test.beforeEach(async () => {
    server = await openPrometheus();
    parent = await mkdtemp(join(tmpdir(), 'loadline-prometheus-copy-'));
  });
  test.afterEach(async () => {
    await server.dispose();
    await rm(parent, { recursive: true, force: true });
  });

  test(
    'the series of a run are those of its directory, value for value, and each panel of the dashboards has data',
    long,
    async () => {
      const to = await prometheus.read(server.address, { perProbe: true }).open(surroundings);
      const { stored, account } = await run(parent, to);
      expect(account).toMatch(
        /Prometheus http:\/\/127.0.0.1:\d+\/api\/v1\/write: (\d+) of \1 points written; \d+ points of single/,
      );
      const expected = await storedValues(stored, true);
      const found = await valuesIn(server, stored);
      expect(expected.length).toBeGreaterThan(1000);
      expect(found.join('\n')).toBe(expected.join('\n'));

      // And what the directory says by itself, without the code that made the series.
      const { atMs, run: name } = endOf(stored);
      const sizes = await server.values(`loadline_trial_size{run="${name}"}`, atMs);
      expect(sizes.map(({ metric, values }) => [metric.trial, metric.verdict, Number(values[0]?.[1])]).sort()).toEqual(
        stored.records.map(({ index, size, verdict }) => [String(index), verdict.kind, size]).sort(),
      );
      const samples = (await stored.readSamples(1)).value;
      const rtts = await server.values(
        `loadline_leg_rtt_ms{run="${name}",trial="1",probe="${samples[0]?.probe}"}`,
        atMs,
      );
      const own = samples.filter(({ probe }) => probe === samples[0]?.probe);
      expect(rtts[0]?.values.map(([, value]) => Number(value))).toEqual(
        own.flatMap(({ legs }) => legs[0]?.rttMs ?? []),
      );
      const empty = (await dashboardsWithoutSeries(server, stored)).filter((one) => !ofMarksAlone.test(one));
      expect(empty.filter((one) => !notSimulated.test(one))).toEqual([]);

      const again = await prometheus.read(server.address, { perProbe: true }).open(surroundings);
      await exportRun(stored, name, again);
      await again.close();
      expect(again.account).toMatchObject({ lost: 0, given: to.account.given });
      expect((await valuesIn(server, stored)).join('\n')).toBe(expected.join('\n'));
    },
  );
});

test('without series of single probes there are as many in a trial of nine calls as in one of one, and each trial is told', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'loadline-series-'));
  const kept = keptPoints(new SeriesPoints({ perProbe: false }));
  const { stored } = await run(parent, kept, 9);
  await rm(parent, { recursive: true, force: true });
  const seriesOf = (trial: string) => {
    // Limits are not the same in the first trial, which is the baseline of the others; and events are what happened.
    const of = kept.points
      .filter(({ tags, measurement }) => tags.trial === trial && !/^loadline_(threshold|events)$/.test(measurement))
      .flatMap((point) => {
        const { labels, values } = valuesOf(point) ?? nothing;
        const rest = Object.entries(labels).filter(([name]) => name !== 'trial' && name !== 'verdict');
        return values.map(({ name }) => JSON.stringify([name, rest]));
      });
    return [...new Set(of)].sort();
  };
  expect(stored.records.map(({ size }) => size)).toEqual([1, 9]);
  expect(seriesOf('2')).toEqual(seriesOf('1'));
  expect(seriesOf('1').length).toBeGreaterThan(100);
  expect(kept.points.filter(({ tags }) => tags.probe !== undefined)).toEqual([]);
});

test('a Prometheus that is not there costs the copy, to the last point, and the answer is the same', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'loadline-prometheus-gone-'));
  const asked = prometheus.read('http://127.0.0.1:9', { perProbe: false });
  const to = await asked.open({ ...surroundings, patienceMs: 200 });
  const { stored, account } = await run(parent, to);
  expect(stored.records.at(-1)?.verdict.kind).toBe('stable');
  expect(to.account).toMatchObject({ written: 0, lost: to.account.given });
  expect(account).toMatch(/0 of \d+ points written; \d+ lost.*\. loadline export RUN fills in/);
  await rm(parent, { recursive: true, force: true });
});

test(
  'a page of metrics is what promtool takes, shows the trial that runs and ends with the run; a real Prometheus reads it',
  long,
  async () => {
    test.skip(!hasPrometheus, 'needs prometheus (Debian: apt-get install prometheus)');
    const to = await scrape.read(':0', { perProbe: false }).open(surroundings);
    const url = to.description.replace('metrics page ', '');
    const points = await pointsOfAStoredRun();
    const firstEnd = points.findIndex(({ measurement }) => measurement === 'loadline_trial');
    to.add(points.slice(0, firstEnd));
    const during = await (await fetch(url)).text();
    expect(during).toMatch(/^loadline_streams_bitrate_kbps_mean\{.*trial="1".*\} \d/m);
    expect(during).not.toContain('loadline_trial_size');
    to.add(points.slice(firstEnd));
    const after = await (await fetch(url)).text();
    expect(after).toMatch(/^loadline_trial_size\{.*\} \d/m);
    expect(after).not.toContain('loadline_streams_bitrate_kbps_mean');
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: during });
    // What it says of names are hints of style; what it cannot read is an error.
    expect(checked.stderr.toString()).not.toMatch(/error|invalid|unexpected/i);
    const server = await openPrometheus([new URL(url).host]);
    const found = () => server.query('loadline_trial_size', Date.now());
    await soon(async () => (await found()).length, { timeout: 30_000 }).toBe(2);
    expect((await found()).map(({ values }) => values[0]?.[1]).sort()).toEqual(['1', '2']);
    await server.dispose();
    await to.close();
    expect(accountText(to, 'never')).toMatch(
      /metrics: \d+ scrapes saw \d+ of \d+ points; the rest gave way to newer ones/,
    );
    await expect(fetch(url)).rejects.toThrow();
  },
);

/** A call, and then `size` of them, on a simulated server twenty minutes ago, copied to `to`. */
async function run(parent: string, to: PointSink, size = 2) {
  const startedAtMs = Date.now() - 20 * 60_000;
  const runDirectory = await createRunDirectory({ parent, scenario: 'one-to-one', server: 'simulated', startedAtMs });
  const copy = copySink({ to, run: basename(runDirectory), scenario: oneToOne, again: 'loadline export RUN' });
  const sinks = [runDirectorySink(runDirectory), copy];
  const { parts } = aSimulatedRun({ capacity: 18, startMs: startedAtMs }, { sinks, runDirectory });
  await tryOnce(
    { plan: aPlan({}, { measureMs: 10_000 }), scenario: oneToOne },
    size,
    parts,
    new AbortController().signal,
  );
  return { stored: await readRun(runDirectory), account: copy.account?.() ?? '' };
}

async function pointsOfAStoredRun(): Promise<readonly DataPoint[]> {
  const parent = await mkdtemp(join(tmpdir(), 'loadline-prometheus-page-'));
  const kept = keptPoints();
  await run(parent, kept);
  await rm(parent, { recursive: true, force: true });
  return kept.points;
}
