import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { panelsOf, queriesOfDashboard } from '../../tests/dashboard-queries.js';
import { dashboards, prometheusDashboards } from './dashboards.js';

const file = (name: string) => new URL(name, import.meta.url);

/**
 * That the dashboards have the form of Grafana's published schema is checked by the compiler: they are made as values
 * of its types (`npm run check`). Grafana's own InfluxDB query is in no package; its form is typed by hand in
 * `influx-source.ts`.
 */
const files = [
  ...Object.entries(dashboards).map(([name, one]) => [`dashboards/${name}`, one] as const),
  ...Object.entries(prometheusDashboards).map(([name, one]) => [`dashboards-prometheus/${name}`, one] as const),
];

for (const [name, dashboard] of files) {
  test(`${name} is what its source makes`, () => {
    const path = file(name);
    if (test.info().config.updateSnapshots === 'all') writeFileSync(path, `${JSON.stringify(dashboard, null, 2)}\n`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(dashboard)));
  });

  test(`the panels of ${name} have a title, words, a query and a place of their own`, () => {
    const panels = panelsOf(dashboard);
    expect(new Set(panels.map((panel) => panel.id)).size).toBe(panels.length);
    const taken = new Set<string>();
    const twice = new Set<string>();
    for (const { title, description, targets, gridPos } of panels) {
      expect(title).toMatch(/\w/);
      expect(description).toMatch(/\.$/);
      expect(targets?.length).toBeGreaterThan(0);
      const { x = 0, y = 0, w = 0, h = 0 } = gridPos ?? {};
      expect(x + w).toBeLessThanOrEqual(24);
      for (let column = x; column < x + w; column += 1) {
        for (let row = y; row < y + h; row += 1) {
          if (taken.has(`${column} ${row}`)) twice.add(`${title} lies over another panel`);
          taken.add(`${column} ${row}`);
        }
      }
    }
    expect([...twice]).toEqual([]);
  });

  test(`every variable that a query of ${name} names is one that the dashboard has`, () => {
    const has = new Set((dashboard.templating?.list ?? []).map((variable) => variable.name));
    const grafana = new Set(['timeFilter', '__interval', '__interval_ms', '__range', 'tag_', 'col']);
    for (const { query } of queriesOfDashboard(dashboard)) {
      for (const [, used = ''] of query.matchAll(/\$([A-Za-z_]+)/g)) {
        expect(has.has(used) || grafana.has(used), `${used} in ${query}`).toBe(true);
      }
    }
  });
}

test('every dashboard can choose run, scenario, server and trial, where it is about one run', () => {
  for (const name of ['run.json', 'probes.json', 'server.json']) {
    const names = dashboards[name]?.templating?.list?.map((variable) => variable.name) ?? [];
    expect(names).toEqual(expect.arrayContaining(['scenario', 'server', 'run', 'trial']));
  }
});

test('the limits of frame rate, freezes, loss, jitter, round trip, MOS and of what people notice are lines in the panels of what they limit, for both data sources', () => {
  for (const one of [dashboards['run.json'], prometheusDashboards['run.json']]) {
    const limited = panelsOf(one ?? {}).filter(({ targets }) => {
      const asked = JSON.stringify(targets);
      return asked.includes('loadline_threshold') && /limit\b/.test(asked);
    });
    const codes = [
      ...JSON.stringify(limited.map(({ targets }) => targets)).matchAll(
        /code\W+(?:= ')?([a-z-]+-[a-z-]+|jitter|frozen)\b/g,
      ),
    ];
    expect([...new Set(codes.map(([, code]) => code))].sort()).toEqual([
      'audio-loss',
      'audio-quality',
      'blank-picture',
      'frozen',
      'jitter',
      'late-picture',
      'late-sound',
      'low-frame-rate',
      'round-trip',
      'silent-sound',
      'still-picture',
      'video-loss',
      'wrong-picture',
      'wrong-sound',
    ]);
    const dashed = limited.filter(({ fieldConfig }) => JSON.stringify(fieldConfig?.overrides).includes('lineStyle'));
    expect(dashed.length).toBeGreaterThanOrEqual(12);
  }
});

test('a probe host that went away is marked as a failure', () => {
  for (const one of [dashboards['run.json'], prometheusDashboards['run.json']]) {
    const failures = one?.annotations?.list?.find(({ name }) => name === 'Failures');
    expect(JSON.stringify(failures)).toContain('host-lost');
  }
});

test('packets lost before resending are held against no limit on the loss after it', () => {
  for (const one of [...Object.values(dashboards), ...Object.values(prometheusDashboards)]) {
    for (const { title, targets } of panelsOf(one)) {
      const asked = JSON.stringify(targets);
      const isOfVideo = /packets_?lost/i.test(asked) && asked.includes('video');
      expect(isOfVideo && asked.includes('loadline_threshold'), title).toBe(false);
    }
  }
});

test('what few runs have lies in a folded row: a TURN server', () => {
  const rows = (dashboards['server.json']?.panels ?? []).filter((panel) => panel.type === 'row');
  expect(rows.map((row) => [row.title, 'collapsed' in row && row.collapsed])).toContainEqual(['TURN server', true]);
  const titles = panelsOf(dashboards['server.json'] ?? {}).map(({ title }) => title);
  expect(titles).toContain('CPU of the TURN server');
});

test('dashboards have addresses of their own, and the link to a run leads to one of them', () => {
  const uids = files.map(([, dashboard]) => dashboard.uid);
  expect(new Set(uids).size).toBe(uids.length);
  const links = [...JSON.stringify(files).matchAll(/"url":"\/d\/([\w-]+)\?/g)].map(([, uid]) => uid);
  expect(links).toHaveLength(2);
  for (const uid of links) expect(uids).toContain(uid);
});

test('the provisioned data source asks in InfluxQL, and its login comes from the environment', () => {
  const text = readFileSync(file('provisioning/datasources/loadline.yaml'), 'utf8');
  const { datasources } = parse(text) as { datasources: Record<string, unknown>[] };
  expect(datasources).toHaveLength(1);
  expect(datasources[0]).toMatchObject({
    type: 'influxdb',
    jsonData: { version: 'InfluxQL' },
    secureJsonData: { httpHeaderValue1: `Token \${LOADLINE_INFLUX_TOKEN}` },
  });
});

test('the provisioned Prometheus is one that samples a second apart can be asked of', () => {
  const text = readFileSync(file('provisioning-prometheus/datasources/loadline.yaml'), 'utf8');
  const { datasources } = parse(text) as { datasources: Record<string, unknown>[] };
  expect(datasources).toMatchObject([{ type: 'prometheus', jsonData: { timeInterval: '1s' } }]);
});
