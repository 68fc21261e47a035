import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { lineOf } from './otlp-values.js';
import { soon } from './soon.js';

const program = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loadline-tests/otelcol');
export const hasCollector = existsSync(program);

/** What the collector's own exporter writes as JSON (OTLP 1, "JSON Protobuf Encoding"), as far as it is read here. */
interface Said {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
  }[];
}
interface Metric {
  readonly name: string;
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly sum?: { readonly dataPoints: readonly Point[] };
}
interface Point {
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly asInt?: string;
}

/** A collector of OpenTelemetry that passes on what it gets, and everything that it passed on. */
export async function aCollector() {
  const passedOn: string[] = [];
  const next = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      passedOn.push(...valuesIn(JSON.parse(body) as Said));
      response.end();
    });
  });
  const [own, its] = [await listening(next.listen(0, '127.0.0.1')), await aFreePort()];
  const child = spawn(program, ['--config', `yaml:${JSON.stringify(configuration(its, own))}`]);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      said += part;
    });
  await soon(() => said, { timeout: 30_000 }).toContain('Everything is ready');
  return {
    address: `http://127.0.0.1:${its}`,
    /** Ends it; it passes on what it has first. */
    end: async (): Promise<readonly string[]> => {
      child.kill('SIGTERM');
      await once(child, 'close');
      next.close();
      return passedOn.sort();
    },
  };
}

const configuration = (from: number, to: number) => ({
  receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${from}` } } } },
  exporters: { otlp_http: { endpoint: `http://127.0.0.1:${to}`, encoding: 'json', compression: 'none' } },
  service: {
    telemetry: { metrics: { level: 'none' } },
    pipelines: { metrics: { receivers: ['otlp'], exporters: ['otlp_http'] } },
  },
});

const valuesIn = ({ resourceMetrics }: Said) =>
  resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(linesOf)));

const linesOf = ({ name, gauge, sum }: Metric) =>
  ((gauge ?? sum)?.dataPoints ?? []).map(({ attributes = [], timeUnixNano, asDouble, asInt }) => {
    const labels = Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
    return lineOf(name, labels, timeUnixNano, asDouble ?? Number(asInt));
  });

async function aFreePort(): Promise<number> {
  const server = createTcpServer();
  const port = await listening(server.listen(0, '127.0.0.1'));
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
