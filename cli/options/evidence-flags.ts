import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { EvidencePlan } from '../../model/plan.js';
import { type MetricSelector, readMetricSelector } from '../../server-setup/evidence/metric-selector.js';

/** Pages of metrics of the server's host, as words: one from a plan file, several from either. */
export interface EvidenceFlags {
  readonly evidence?: string | readonly string[];
  readonly evidenceMetric?: string | readonly string[];
}

export function addEvidenceFlags(command: Command): Command {
  return command
    .option(
      '--evidence <url>',
      "Prometheus page of the server's host (node_exporter, cAdvisor …): http://HOST:9100/metrics; may be repeated",
      collected,
    )
    .option(
      '--evidence-metric <name>',
      'a metric of these pages beside the known ones, or which container is the server: \'name{label="x"}\'',
      collected,
    );
}

/** Undefined without either. Throws E_USAGE. */
export function readEvidenceFlags({ evidence, evidenceMetric }: EvidenceFlags): EvidencePlan | undefined {
  const urls = wordsOf(evidence).map(pageAddress);
  const metrics = wordsOf(evidenceMetric);
  metrics.forEach(selectorOf);
  if (urls.length > 0) return { urls, metrics };
  if (metrics.length === 0) return undefined;
  throw new LoadlineError('E_USAGE', '--evidence-metric needs a page to be on.', {
    where: '--evidence-metric',
    why: 'no --evidence is given',
    todo: 'name the page, for example --evidence http://10.0.0.5:9100/metrics',
  });
}

/** Throws E_USAGE. */
export function selectorOf(text: string): MetricSelector {
  const selector = readMetricSelector(text);
  if (selector) return selector;
  throw new LoadlineError('E_USAGE', `--evidence-metric cannot read "${text}".`, {
    where: '--evidence-metric',
    why: 'it is neither the name of a metric nor one with labels that it must have',
    todo: `write for example 'container_cpu_usage_seconds_total{name="media"}'`,
  });
}

/** An address without a path is that of the usual page. It is stored with the run, so it must hold no login. */
function pageAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new LoadlineError('E_USAGE', `--evidence must be an http or https address, not "${text}".`, {
      where: '--evidence',
      todo: 'write for example --evidence http://10.0.0.5:9100/metrics',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new LoadlineError('E_USAGE', 'The address of --evidence holds a login.', {
      where: '--evidence',
      why: 'the command is stored with the run, and a login must not be',
      todo: 'leave it out, and set LOADLINE_EVIDENCE_TOKEN to a bearer token',
    });
  }
  return url.pathname === '/' && url.search === '' ? new URL('/metrics', url).href : url.href;
}

function collected(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function wordsOf(given: string | readonly string[] | undefined): readonly string[] {
  return given === undefined ? [] : typeof given === 'string' ? [given] : given;
}
