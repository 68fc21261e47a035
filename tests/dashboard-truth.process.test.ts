import type { Dashboard } from '@grafana/schema';
import { expect, test } from '@playwright/test';
import { dashboards, prometheusDashboards } from '../docker/grafana/dashboards.js';
import { readInfluxAddress } from '../store/influx/influx-address.js';
import { influxTarget } from '../store/influx/influx-writer.js';
import { PointSender } from '../store/points/point-sender.js';
import { prometheus } from '../store/prometheus/prometheus-kind.js';
import { filledIn, queriesOfDashboard } from './dashboard-queries.js';
import { long } from './effort.js';
import { openInflux } from './influx-server.js';
import { isInstalled } from './installed.js';
import { knownFailures, knownPoints } from './known-points.js';
import { hasPrometheus, openPrometheus, type PrometheusServer } from './prometheus-server.js';

const minuteMs = 60_000;
/** A whole minute, half an hour ago: one interval of the panels holds it all. */
const fromMs = Math.floor(Date.now() / minuteMs) * minuteMs - 30 * minuteMs;
const toMs = fromMs + minuteMs - 1;
const variables = { scenario: 's', server: 'v', run: 'r', trial: '.*', bars: '2', probe: '.*' };

/** What panels must draw of the known points, the lowest value first. */
const truths = {
  'each stream has a bar, of the chosen trial alone': [/probe.*Received video bitrate, by probe/, [50, 600, 700]],
  'each layer that is sent has a curve': [/probe.*Sent video bitrate/, [150, 500, 1700]],
  'each video that is received has a curve': [/probe, Received video bitrate$/, [200, 200, 200, 1000]],
  'samples are those of a second': [/Probes that were read/, [2.5]],
  'the full host is seen': [/CPU of each probe host/, [20, 20, 100, 100]],
  'cores of browsers are those of each host': [/CPU of the browsers/, [0, 0, 0.5, 3]],
  'bytes are divided by the time between two readings': [/Sent by the media server/, [1000]],
  'each run has its limit': [/over weeks, Limit/, [10, 12]],
  'a mean of all windows weighs each the same': [/over weeks, Received video bitrate/, [50, 3650 / 7]],
  'delays of all seconds, and the longest': [/run, Delay of pictures: mean and most/, [40, 100]],
  'the worst p95 of a picture that came, beside its own limit': [/run, Delay of pictures, p95/, [400, 450]],
  'the worst p95 of sound, beside its limit': [/run, Delay of sound, p95/, [95, 400]],
  'sizes with their delays': [/run, Delay of pictures by size/, [1, 2, 120, 450]],
  'somebody else is seen, and nobody else heard': [/run, Pictures and sound of somebody else/, [0, 1, 1, 50]],
  'pictures that stand still, and none of one colour': [/run, The same picture again/, [0, 10, 10, 30]],
  'the quietest sound, beside the limit': [/run, Silence/, [0, 0.001]],
  'a mean of all streams weighs each the same': [/run, Received video bitrate/, [200, 400, 1000]],
} as const satisfies Readonly<Record<string, readonly [RegExp, readonly number[]]>>;

const queriesAt = (of: Readonly<Record<string, Dashboard>>, where: RegExp) =>
  Object.values(of)
    .flatMap(queriesOfDashboard)
    .filter((one) => where.test(one.where))
    .map(({ query }) => filledIn(query, variables, fromMs, toMs, '60s'));

const inOrder = (values: readonly number[]) => values.map((value) => Number(value.toFixed(6))).sort((a, b) => a - b);

type Ask = (query: string) => Promise<readonly number[]>;

async function drawn(of: Readonly<Record<string, Dashboard>>, ask: Ask) {
  const found: Record<string, readonly number[]> = {};
  for (const [what, [where]] of Object.entries(truths)) {
    const values = await Promise.all(queriesAt(of, where).map(ask));
    found[what] = inOrder(values.flat());
  }
  return found;
}

const expected = Object.fromEntries(Object.entries(truths).map(([what, [, values]]) => [what, inOrder(values)]));
const surroundings = { env: {}, onTrouble: () => undefined };

test('panels draw what known points say, in a real InfluxDB', long, async () => {
  test.skip(!isInstalled(['influxd']), 'needs influxd (Debian: apt-get install influxdb)');
  const influx = await openInflux();
  const { user, password } = influx;
  const sender = new PointSender(influxTarget(readInfluxAddress(influx.address), { user, password }), surroundings);
  sender.add(knownPoints(fromMs));
  await sender.close();
  const ask: Ask = async (query) =>
    (await influx.query(query)).flatMap(({ values }) => values.flatMap((row) => row.slice(1)).filter(isNumber));
  expect(await drawn(dashboards, ask)).toEqual(expected);
  await influx.dispose();
});

test.describe('of Prometheus', () => {
  test.skip(!hasPrometheus, 'needs prometheus (Debian: apt-get install prometheus)');
  let server: PrometheusServer;
  test.beforeEach(async () => {
    server = await openPrometheus();
  });
  test.afterEach(() => server.dispose());

  const valuesAt = async (query: string, atMs: number) =>
    (await server.query(query, atMs)).flatMap(({ values }) => values.map(([, value]) => Number(value)));
  const send = async (points: Parameters<PointSender['add']>[0]) => {
    const to = await prometheus.read(server.address, { perProbe: true }).open(surroundings);
    to.add(points);
    await to.close();
  };

  test('panels draw what known points say, in a real Prometheus', long, async () => {
    await send(knownPoints(fromMs));
    expect(await drawn(prometheusDashboards, (query) => valuesAt(query, toMs))).toEqual(expected);
  });

  test('a failure is marked when its count grew, and not for as long as a page shows it', long, async () => {
    await send(knownFailures(fromMs, 40));
    const [mark = ''] = Object.values(prometheusDashboards)
      .flatMap(queriesOfDashboard)
      .flatMap(({ where, query }) => (/run, marks Failures/.test(where) ? [query] : []));
    const marked: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      const query = filledIn(mark, variables, fromMs, toMs, '1s');
      if ((await valuesAt(query, fromMs + second * 1000)).length > 0) marked.push(second);
    }
    expect(marked).toEqual([0, 10]);
  });
});

const isNumber = (value: unknown): value is number => typeof value === 'number';
