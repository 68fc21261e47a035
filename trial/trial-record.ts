import { judging } from '../analysis/judge/judge.js';
import { type JudgeInput, measuring } from '../analysis/judge/judge-input.js';
import { judgeInput } from '../analysis/judge/judged-trial.js';
import { verdictInSteps } from '../analysis/judge/trial-verdict.js';
import { loadSummary } from '../analysis/measure/load-summary.js';
import { scrapeAccounts } from '../analysis/measure/scrape-accounts.js';
import { usedOf } from '../analysis/measure/used.js';
import type { DrillRecord } from '../model/drill.js';
import { given } from '../model/given.js';
import type { InSteps } from '../model/in-steps.js';
import { comeAndGo, countedIn } from '../model/load.js';
import type { ProbeHost } from '../model/probe-host.js';
import type { ProbeRecord, RecordedEnd, TrialRecord } from '../model/trial.js';
import { proveStimulus } from './prove-stimulus.js';
import type { TrialEnd } from './trial-end.js';
import type { TrialState } from './trial-state.js';

/** The record of a trial that is over, with its verdict. In steps, because a large one takes seconds. */
export function* trialRecord(state: TrialState): InSteps<TrialRecord> {
  const { setting, journal, participants } = state;
  const found = state.findings.now;
  const { window, drill } = found;
  const counted = countedIn(found);
  const probes = blamedRightly(state.probes(), state.outcome);
  const hosts = state.hosts();
  const tried = state.findings.heard.tried(probes);
  const input = judgeInputOf(state, probes, hosts);
  const measured = yield* measuring(input);
  const { samples, evidence } = input;
  const loaded = journal.phases.some(({ phase }) => phase === 'join');
  const end = drill ? drillEnd(drill) : recordedEnd(state.outcome);
  const load = loadSummary({ probes, samples, evidence, window });
  const streams = measured?.streams.map(({ summary }) => summary) ?? [];
  // Of those who come and go one stay follows the other: their rates add up to nothing that was ever delivered.
  const delivered = comeAndGo(setting.run.plan.load) ? [] : streams;
  const proven = proveStimulus(state, measured);
  const used = usedOf(setting.run, { load, streams: delivered, hosts: hosts.length });
  return {
    index: setting.index,
    size: setting.size,
    probesAsked: counted?.due ?? participants.length,
    probesUp: counted?.answered ?? probes.filter((probe) => probe.up).length,
    why: setting.why,
    startedAtMs: journal.startedAtMs,
    endedAtMs: setting.parts.clock.nowMs(),
    phases: journal.phases,
    ...found,
    ...proven,
    ...(hosts.length > 0 ? { hosts } : {}),
    probes,
    ...(tried.length > 0 ? { tried } : {}),
    streams,
    events: journal.events,
    ...(evidence.scraped ? { scrapes: scrapeAccounts(evidence.scraped) } : {}),
    verdict: yield* verdictInSteps(end, loaded, input, measured),
    ...given({ used: used.length > 0 ? used : undefined, pacePerSecond: setting.pacePerSecond }),
    ...(drill ? { drill: { ...drill, ...(yield* othersIn(drill, input)) } } : {}),
    ...given({ heldMs: setting.heldMs, foresees: setting.foresees }),
    end,
    load,
  };
}

function drillEnd({ server }: DrillRecord): RecordedEnd {
  return { kind: 'drill', text: `Server ${server} was taken away in this trial, so it says nothing of a size.` };
}

/** What those saw who were on no server that was taken away. */
function* othersIn({ sessions }: DrillRecord, input: JudgeInput): InSteps<Pick<DrillRecord, 'others'>> {
  const gone = new Set(sessions);
  const probes = input.probes.filter(({ participant }) => !gone.has(participant.session));
  if (!input.window || probes.length === 0) return {};
  const { kind, reasons } = yield* judging({ ...input, probes, probesAsked: probes.length });
  return { others: { probes: probes.length, verdict: kind, reasons: reasons.map(({ text }) => text).slice(0, 10) } };
}

/** What the judge is told, now or at the end. */
export function judgeInputOf(
  state: TrialState,
  probes: readonly ProbeRecord[],
  hosts: readonly ProbeHost[] = state.hosts(),
): JudgeInput {
  const { run, baseline, pacePerSecond } = state.setting;
  return judgeInput(run, {
    ...state.findings.now,
    baseline,
    probesAsked: state.probed.length,
    probes,
    hosts,
    samples: state.intake.fold,
    evidence: state.evidence.evidence(),
    events: state.journal.events,
    end: recordedEnd(state.outcome),
    pacePerSecond,
    heldMs: state.setting.heldMs,
    voice: state.voice.of(run.plan),
  });
}

function recordedEnd(end: TrialEnd): RecordedEnd {
  if (end.kind !== 'failed') return end;
  const { message, why } = end.error;
  return { kind: 'failed', text: why === undefined ? message : `${message} ${why}` };
}

/** A fleet that is stopped because a server went away reports its joining probes as stopped; that server did it. */
function blamedRightly(probes: readonly ProbeRecord[], end: TrialEnd): readonly ProbeRecord[] {
  if (end.kind !== 'server-lost' && end.kind !== 'turn-lost') return probes;
  return probes.map((probe) => ({
    ...probe,
    failures: probe.failures.map((failure) =>
      failure.code === 'aborted' ? { ...failure, code: end.kind, detail: end.detail } : failure,
    ),
  }));
}
