import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { otlp } from '../store/otlp/otlp-kind.js';
import { exportRun } from '../store/points/export-run.js';
import { readRun } from '../store/run-directory/read-run.js';
import { long } from './effort.js';
import { keptPoints } from './kept-points.js';
import { aCollector, hasCollector } from './otel-collector.js';
import { expectedValues } from './otlp-values.js';

const recorded = fileURLToPath(new URL('recorded-run', import.meta.url));

test(
  'a stored run that is exported to an OpenTelemetry Collector is passed on by it, value for value',
  long,
  async () => {
    test.skip(
      !hasCollector,
      'needs a collector: cd tests/otel-collector && go build -o ~/.cache/loadline-tests/otelcol .',
    );
    test.slow();
    const collector = await aCollector();
    const to = await otlp.read(collector.address, { perProbe: false }).open({ env: {}, onTrouble: () => undefined });
    const all = keptPoints();
    await exportRun(await readRun(recorded), basename(recorded), all);
    to.add(all.points);
    await to.close();
    const passedOn = await collector.end();
    expect(to.account).toMatchObject({ lost: 0, written: to.account.given });
    expect(passedOn.length).toBeGreaterThan(50_000);
    expect(passedOn.join('\n') === (await expectedValues(all.points)).join('\n')).toBe(true);
  },
);
