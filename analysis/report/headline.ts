import type { ScenarioUnit } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import { type FinishedRun, probesAt } from '../result.js';
import { voidTrials } from '../summary.js';

const session: ScenarioUnit = { one: 'session', many: 'sessions' };

export function unitOf({ manifest }: FinishedRun): ScenarioUnit {
  return manifest.unit ?? session;
}

export function countOf(run: FinishedRun, size: number): string {
  const unit = unitOf(run);
  return `${size} ${size === 1 ? unit.one : unit.many}`;
}

/** "embedded 0.1.0": a server is named for its kind, first of all. */
export function serverName({ manifest: { server } }: FinishedRun): string {
  return server.name.startsWith(server.kind) ? server.name : `${server.kind} ${server.name}`;
}

/** The answer in one sentence. */
export function headline(run: FinishedRun): string {
  const { answer, manifest, records } = run;
  const server = serverName(run);
  const tried = triedTrial(run);
  if (tried) return triedSentence(run, tried);
  const probes = probesAt(records, answer.stable);
  const on = manifest.server.sameHost ? ` on ${manifest.host.cores} cores` : '';
  const carried = `${countOf(run, answer.stable)} (${probes} probes)${on}`;
  switch (answer.outcome) {
    case 'found':
      return answer.cutShort
        ? `${server} holds about ${carried}; the search was cut short.`
        : `${server} holds ${carried}.`;
    case 'probe-limited':
      return `${server} holds at least ${carried}; then the probes ran out: ${whatRanOut(records)}`;
    case 'reached-max':
      return `${server} holds at least ${carried}, the largest size ${answer.cutShort ? 'that was tried before the search was cut short' : 'asked for'}.`;
    case 'baseline-unstable':
      return `${server} does not hold even ${countOf(run, answer.unstable ?? 1)}.`;
    case 'void':
      return `Nothing can be said of ${server}: ${answer.because}`;
  }
}

/** The last trial of a run that tried one given size, instead of searching. */
export function triedTrial({ records, manifest }: FinishedRun): TrialRecord | undefined {
  if (manifest.plan.search.strategy === 'fixed') return undefined;
  return records.some((record) => record.why === 'fixed') ? records.at(-1) : undefined;
}

function triedSentence(run: FinishedRun, record: TrialRecord): string {
  const what = `${serverName(run)}, ${countOf(run, record.size)} (${record.probesAsked} probes)`;
  if (record.verdict.kind === 'stable') return `${what}: stable.`;
  const first = record.verdict.reasons[0]?.text ?? '';
  return record.verdict.kind === 'void' ? `${what}: void. ${first}` : `${what}: unstable.`;
}

/** The first words of the probe side about the smallest size that it could not carry. */
export function whatRanOut(records: readonly TrialRecord[]): string {
  const trials = [...voidTrials(records)].sort((a, b) => a.size - b.size);
  const trial = trials.find((record) => record.verdict.probesExhausted) ?? trials[0];
  const reason: Reason | undefined = trial?.verdict.reasons[0];
  return reason ? `${reason.text.charAt(0).toLowerCase()}${reason.text.slice(1)}` : 'nothing says of what.';
}
