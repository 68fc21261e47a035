import { LoadlineError } from '../../model/errors.js';
import type { EvidencePlan } from '../../model/plan.js';
import { type MetricSelector, readMetricSelector } from '../../server-setup/evidence/metric-selector.js';
import type { Flags, ValuesOf } from './flag.js';
import { oneOrMore } from './label-flags.js';
import { loginInAddress, suchAs, wrongValue } from './usage-error.js';

export const evidenceFlags = {
  evidence: {
    takes: 'url',
    about:
      "Prometheus page of the server's host (node_exporter, cAdvisor …): http://HOST:9100/metrics; may be repeated",
    value: { read: pageAddress },
    inPlans: oneOrMore('must be an http or https address of a page of metrics, or a list of them'),
    repeats: true,
    onResume: 'again',
  },
  evidenceMetric: {
    takes: 'name',
    about: 'a metric of these pages beside the known ones, or which container is the server: \'name{label="x"}\'',
    value: { read: (text: string) => selectorOf(text) && text },
    inPlans: oneOrMore('must be the name of a metric, or a list of them: \'name{label="x"}\''),
    repeats: true,
    with: '--evidence',
    withValue: 'http://10.0.0.5:9100/metrics',
    because: 'no page is given for it to be on',
  },
} as const satisfies Flags;

/** Undefined without a page. */
export function evidenceOf({ evidence, evidenceMetric }: ValuesOf<typeof evidenceFlags>): EvidencePlan | undefined {
  return evidence.length > 0 ? { urls: evidence, metrics: evidenceMetric } : undefined;
}

/** Throws E_USAGE. */
export function selectorOf(text: string): MetricSelector {
  const selector = readMetricSelector(text);
  if (selector) return selector;
  throw new LoadlineError('E_USAGE', `--evidence-metric cannot read "${text}".`, {
    where: '--evidence-metric',
    why: 'it is neither the name of a metric nor one with labels that it must have',
    todo: suchAs('--evidence-metric', 'container_cpu_usage_seconds_total{name="media"}'),
  });
}

/** An address without a path is that of the usual page. It is stored with the run, so it must hold no login. */
function pageAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw wrongValue('--evidence', text, 'must be an http or https address', 'http://10.0.0.5:9100/metrics');
  }
  if (url.username !== '' || url.password !== '') {
    throw loginInAddress('--evidence', 'set LOADLINE_EVIDENCE_TOKEN to a bearer token');
  }
  return url.pathname === '/' && url.search === '' ? new URL('/metrics', url).href : url.href;
}
