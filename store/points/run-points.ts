import type { Manifest, RunResult } from '../../model/run.js';
import type { DataPoint, Tags } from './data-point.js';

export function runTags(run: string, { plan, server, tags = [], labels = {} }: Manifest): Tags {
  const said = Object.entries(labels).map(([key, value]) => [`label_${key}`, value]);
  const tag = tags.length === 0 ? {} : { tag: tags.join(' ') };
  return { run, scenario: plan.scenario, server: server.name, ...tag, ...Object.fromEntries(said) };
}

/** `resumed`: how often the run was resumed right before it. Each time a kill may have left points of that trial. */
export function trialTags(run: Tags, index: number, { resumedAfter = [] }: Pick<Manifest, 'resumedAfter'>): Tags {
  const times = resumedAfter.filter((stored) => stored + 1 === index).length;
  return { ...run, trial: String(index), ...(times === 0 ? {} : { resumed: String(times) }) };
}

/** One point when a run begins: with what it was made. */
export function runStartPoint(tags: Tags, manifest: Manifest): DataPoint {
  const { loadline, startedAt, host, chromium, server, unit, plan } = manifest;
  return {
    measurement: 'loadline_run_start',
    tags,
    fields: {
      loadline,
      chromium: chromium.version,
      serverVersion: server.version,
      sameHost: server.sameHost,
      unit: unit?.many ?? 'sessions',
      cores: host.cores,
      memoryMb: host.memoryMb,
      kernel: host.kernel,
      cpuModel: host.cpuModel,
      measureMs: plan.timing.measureMs,
    },
    isOfSecond: false,
    atMs: Date.parse(startedAt),
  };
}

/** One point when a run has its answer, at the end of its last trial. */
export function answerPoints(tags: Tags, result: RunResult, startedAt: string, atMs: number): readonly DataPoint[] {
  const { outcome, limit, because, cutShort, trials, probesAtLimit, unit } = result;
  const { stable, unstable, flaky } = limit;
  const text = `${stable ?? 'no'} ${unit} stable, ${unstable ?? 'no size'} unstable. ${because}`;
  return [
    {
      measurement: 'loadline_run',
      tags: { ...tags, outcome },
      fields: {
        stable: stable ?? undefined,
        unstable: unstable ?? undefined,
        flaky: flaky.length,
        probesAtLimit: probesAtLimit ?? undefined,
        trials: trials.length,
        unit,
        because,
        cutShort: cutShort === true,
        startedAtMs: Date.parse(startedAt),
        endedAtMs: atMs,
      },
      isOfSecond: false,
      atMs,
    },
    {
      measurement: 'loadline_event',
      tags: { ...tags, type: 'answer' },
      fields: { title: `${tags.run}: ${outcome}`, text, code: outcome },
      isOfSecond: false,
      atMs,
    },
  ];
}
