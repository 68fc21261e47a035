import { LoadlineError } from '../../model/errors.js';
import { readHeaders, readPushAddress } from '../series/push-address.js';
import type { AskedSink, SinkChoices, SinkKind } from '../sink-kind.js';

const headersVariable = 'LOADLINE_PROMETHEUS_HEADERS';
const form = {
  of: 'Prometheus',
  flag: '--prometheus-remote-write',
  example: 'http://127.0.0.1:9090, which is http://127.0.0.1:9090/api/v1/write',
  login: `LOADLINE_PROMETHEUS_TOKEN, LOADLINE_PROMETHEUS_USER and LOADLINE_PROMETHEUS_PASSWORD, or ${headersVariable}`,
};

export const prometheus: SinkKind = {
  name: 'prometheusRemoteWrite',
  takes: 'url',
  summary: 'copy metrics to this Prometheus (or Mimir, VictoriaMetrics …) while the run goes on; may be repeated',
  exportSummary: 'the Prometheus that gets the metrics, by remote write; may be repeated',
  help: `Prometheus, by remote write:
  --prometheus-remote-write http://HOST:9090            its own path, /api/v1/write, is added; another one is kept
  The login is in the environment: LOADLINE_PROMETHEUS_TOKEN, or LOADLINE_PROMETHEUS_USER and
  LOADLINE_PROMETHEUS_PASSWORD, or ${headersVariable}=name=value,… It is stored nowhere.`,
  environment: [
    { name: 'LOADLINE_PROMETHEUS_TOKEN', about: 'a bearer token for the Prometheus of --prometheus-remote-write' },
    { name: 'LOADLINE_PROMETHEUS_USER', about: 'an account of that Prometheus, instead of a token' },
    { name: 'LOADLINE_PROMETHEUS_PASSWORD', about: 'the password of that account' },
    { name: headersVariable, about: 'headers for it, such as a tenant: name=value,name2=value2' },
  ],
  mustBe: 'must be an address: http://HOST:9090',
  read: askedPrometheus,
};

function askedPrometheus(text: string, { perProbe }: SinkChoices): AskedSink {
  const url = readPushAddress(text, form);
  if (url.pathname === '/') url.pathname = '/api/v1/write';
  const description = `Prometheus ${url.href}`;
  return {
    kind: prometheus,
    description,
    // Loaded late: most runs need none of it.
    async open({ env, ...options }) {
      const { remoteWriteTarget } = await import('./remote-write.js');
      const { PointSender } = await import('../points/point-sender.js');
      const { SeriesPoints } = await import('../series/series-points.js');
      const target = remoteWriteTarget(description, url.href, loginHeaders(env));
      return new PointSender(target, options, new SeriesPoints({ perProbe }));
    },
    notTaken: (lost, why) =>
      new LoadlineError('E_METRICS', `Prometheus did not take ${lost} points of this run.`, {
        where: url.href,
        why,
        todo: 'see that it runs with --web.enable-remote-write-receiver, and takes what is older (out_of_order_time_window); then export again',
      }),
  };
}

/** From the environment alone. A variable that is set to nothing counts as not set. */
function loginHeaders(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const token = env.LOADLINE_PROMETHEUS_TOKEN;
  const user = env.LOADLINE_PROMETHEUS_USER;
  const basic = Buffer.from(`${user ?? ''}:${env.LOADLINE_PROMETHEUS_PASSWORD ?? ''}`).toString('base64');
  return {
    ...readHeaders(env[headersVariable], headersVariable),
    ...(token ? { authorization: `Bearer ${token}` } : user ? { authorization: `Basic ${basic}` } : {}),
  };
}
