import { judge } from '../analysis/judge.js';
import { summariseStreams } from '../analysis/window.js';
import type { ProbeRecord, TrialRecord } from '../model/trial.js';
import type { Reason, Verdict } from '../model/verdict.js';
import { loadSummary } from './load-summary.js';
import type { TrialDesk } from './trial-desk.js';
import type { TrialEnd } from './trial-end.js';

/** Step 9: the record of a trial that is over, with its verdict. */
export function trialRecord(desk: TrialDesk): TrialRecord {
  const { setting, journal, window, participants } = desk;
  const probes = blamedRightly(desk.probes(), desk.outcome);
  const samples = desk.intake.all();
  const evidence = desk.evidence.evidence();
  return {
    index: setting.index,
    size: setting.size,
    probesAsked: participants.length,
    probesUp: probes.filter((probe) => probe.up).length,
    why: setting.why,
    startedAtMs: journal.startedAtMs,
    endedAtMs: setting.parts.clock.nowMs(),
    phases: journal.phases,
    ...(window ? { window } : {}),
    probes,
    streams: window ? summariseStreams(samples, participants, window) : [],
    events: journal.events,
    verdict: verdictOf(desk, probes),
    load: loadSummary({ probes, samples, evidence, window }),
  };
}

/**
 * What the conductor knows goes before what the judge can see: a trial that failed on our side, or lost its server
 * before any load, says nothing about a size; and none that was cut short is stable.
 */
function verdictOf(desk: TrialDesk, probes: readonly ProbeRecord[]): Verdict {
  const end = desk.outcome;
  if (end.kind === 'failed') return saysNothing('environment', sentenceOf(end.error));
  if (end.kind === 'stuck') return saysNothing('environment', end.text);
  const loaded = desk.journal.phases.some(({ phase }) => phase === 'join');
  if (end.kind === 'server-lost' && !loaded) {
    return saysNothing('environment', `The media server went away before this trial put load on it: ${end.detail}.`);
  }
  const { plan, sameHost, baseline } = desk.setting;
  const verdict = judge({
    thresholds: plan.thresholds,
    baseline,
    media: plan.media,
    timing: plan.timing,
    probesAsked: desk.participants.length,
    probes,
    samples: desk.intake.all(),
    window: desk.window,
    evidence: desk.evidence.evidence(),
    events: desk.journal.events,
    sameHost,
    interrupted: end.kind === 'interrupted',
  });
  if (verdict.kind !== 'stable' || end.kind === 'complete') return verdict;
  return {
    ...saysNothing('environment', `The trial did not end in its own order: ${end.kind}.`),
    thresholds: verdict.thresholds,
  };
}

function saysNothing(code: Reason['code'], text: string): Verdict {
  return { kind: 'void', reasons: [{ code, text }], thresholds: [], probesExhausted: false };
}

function sentenceOf(error: { readonly message: string; readonly why: string | undefined }): string {
  return error.why === undefined ? error.message : `${error.message} ${error.why}`;
}

/** A fleet that is stopped because the server went away reports its joining probes as stopped; the server did it. */
function blamedRightly(probes: readonly ProbeRecord[], end: TrialEnd): readonly ProbeRecord[] {
  if (end.kind !== 'server-lost') return probes;
  return probes.map((probe) => ({
    ...probe,
    failures: probe.failures.map((failure) =>
      failure.code === 'aborted' ? { ...failure, code: 'server-lost' as const, detail: end.detail } : failure,
    ),
  }));
}
