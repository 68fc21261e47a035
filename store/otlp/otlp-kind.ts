import { LoadlineError } from '../../model/errors.js';
import { readHeaders, readPushAddress } from '../series/push-address.js';
import type { AskedSink, SinkChoices, SinkKind } from '../sink-kind.js';

const path = '/v1/metrics';
const variables = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_HEADERS'] as const;
const form = {
  of: 'the OTLP receiver',
  flag: '--otlp',
  example: `http://127.0.0.1:4318, which is http://127.0.0.1:4318${path}`,
  login: `${variables[0]}=authorization=Bearer%20TOKEN`,
};

export const otlp: SinkKind = {
  name: 'otlp',
  takes: 'url',
  summary: 'copy metrics to this OpenTelemetry collector (OTLP over HTTP) while the run goes on; may be repeated',
  exportSummary: 'the OpenTelemetry collector that gets the metrics (OTLP over HTTP); may be repeated',
  help: `OpenTelemetry:
  --otlp http://HOST:4318                               ${path} is added where the address does not end so
  Headers, a login among them, are in the environment as OpenTelemetry has it: ${variables[0]},
  ${variables[1]}. They are stored nowhere.`,
  environment: [
    { name: variables[0], about: 'headers for the receiver of --otlp, a login among them: name=value,name2=value2' },
    { name: variables[1], about: 'the same, for metrics alone' },
  ],
  mustBe: 'must be an address: http://HOST:4318',
  read: askedOtlp,
};

function askedOtlp(text: string, { perProbe }: SinkChoices): AskedSink {
  const url = readPushAddress(text, form);
  if (!url.pathname.endsWith(path)) url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  const description = `OTLP ${url.href}`;
  return {
    kind: otlp,
    description,
    // Loaded late: OpenTelemetry's packages are optional, and most runs need none of them.
    async open({ env, ...options }) {
      const { otlpTarget } = await import('./otlp-target.js').catch(asMissing);
      const { PointSender } = await import('../points/point-sender.js');
      const { SeriesPoints } = await import('../series/series-points.js');
      const headers = Object.assign({}, ...variables.map((name) => readHeaders(env[name], name)));
      return new PointSender(otlpTarget(description, url.href, headers), options, new SeriesPoints({ perProbe }));
    },
    notTaken: (lost, why) =>
      new LoadlineError('E_METRICS', `The OTLP receiver did not take ${lost} points of this run.`, {
        where: url.href,
        why,
        todo: 'see that it runs and takes metrics as OTLP over HTTP; then export again',
      }),
  };
}

function asMissing(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
  throw new LoadlineError('E_METRICS_URL', "OpenTelemetry's packages are not installed.", {
    where: '--otlp',
    why: error.message,
    todo: 'install Loadline with its optional packages (npm install without --omit=optional)',
    cause: error,
  });
}
