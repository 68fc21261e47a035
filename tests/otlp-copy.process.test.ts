import { spawn, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { otlp } from '../store/otlp/otlp-kind.js';
import { exportRun } from '../store/points/export-run.js';
import { readRun } from '../store/run-directory/read-run.js';
import { long } from './effort.js';
import { keptPoints } from './kept-points.js';
import { once } from './once.js';
import { expectedValues, lineOf } from './otlp-values.js';
import { soon } from './soon.js';

const python = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loadline-tests/otlp/bin/python3');
const hasProto = once(() => spawnSync(python, ['-c', 'import opentelemetry.proto']).status === 0);
const recorded = fileURLToPath(new URL('recorded-run', import.meta.url));

/** A value as the receiver printed it. */
interface Received {
  readonly path: string;
  readonly authorization: string | null;
  readonly service: string;
  readonly name: string;
  readonly kind: 'gauge' | 'sum';
  readonly attributes: Readonly<Record<string, string>>;
  readonly ns: string;
  readonly value: number;
}

test.describe('a stored run that is exported as OTLP', () => {
  test.beforeEach(() => {
    test.slow();
    test.skip(!hasProto(), 'needs opentelemetry-proto for Python, which .ci/run installs');
  });

  test(
    "is what OpenTelemetry's own messages decode, value for value, with the login of the environment",
    long,
    async () => {
      const receiver = await aReceiver();
      const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20t' };
      const to = await otlp.read(receiver.address, { perProbe: false }).open({ env, onTrouble: () => undefined });
      const all = keptPoints();
      await exportRun(await readRun(recorded), basename(recorded), all);
      // One of each eight points of the run: Python takes long to print them.
      const points = all.points.filter((_, nth) => nth % 8 === 0);
      to.add(points);
      await to.close();
      const received = await receiver.end();
      expect(to.account).toMatchObject({ lost: 0, written: to.account.given });

      const lines = await expectedValues(points);
      expect(lines.length).toBeGreaterThan(500);
      const got = received.map(({ name, attributes, ns, value }) => lineOf(name, attributes, ns, value));
      expect(got.sort().join('\n')).toBe(lines.join('\n'));
      const seen = new Set(received.map(({ path, authorization, service }) => `${path} ${authorization} ${service}`));
      expect([...seen]).toEqual(['/v1/metrics Bearer t loadline']);
      const sums = new Set(received.filter(({ kind }) => kind === 'sum').map(({ name }) => name));
      expect([...sums]).toEqual(['loadline_events_total']);
    },
  );

  test('a receiver that rejects a part is counted as having lost it', async () => {
    const receiver = await aReceiver('3');
    const to = await otlp.read(receiver.address, { perProbe: false }).open({ env: {}, onTrouble: () => undefined });
    const fields = { size: 4, stable: 1 };
    to.add([{ measurement: 'loadline_trial', tags: { trial: '1' }, fields, isOfSecond: false, atMs: 1000 }]);
    await to.close();
    await receiver.end();
    expect(to.account).toMatchObject({ given: 1, written: 0, lost: 1 });
    expect(to.refused).toBe('it rejected 3 values: no room');
  });
});

async function aReceiver(...args: readonly string[]) {
  const script = fileURLToPath(new URL('otlp-receiver.py', import.meta.url));
  const child = spawn(python, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  // Read as they come: a receiver whose pipe is full answers nobody.
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = new Promise((resolve) => reader.once('close', resolve));
  await soon(() => lines.length, { timeout: 30_000 }).toBeGreaterThan(0);
  const { port } = JSON.parse(lines[0] ?? '{}') as { port: number };
  return {
    address: `http://127.0.0.1:${port}`,
    end: async (): Promise<readonly Received[]> => {
      child.kill('SIGTERM');
      await ended;
      return lines.slice(1).map((line) => JSON.parse(line) as Received);
    },
  };
}
