import { mayBeEncoded } from '../../model/encodable.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { redacted } from '../../model/secrets.js';
import { neverConnected } from '../judge/never-connected.js';
import { historyOf } from '../search/history.js';
import { nextStep } from '../search/search.js';
import { shellLine } from '../wording/wording.js';
import { triedTrial } from './headline.js';

/** What to do next with a run that has no whole answer; `command` is a line for a shell. */
export interface NextStep {
  readonly text: string;
  readonly command?: string;
}

export function nextSteps(run: FinishedRun): readonly NextStep[] {
  return [...toConnect(run), ...moreProbes(run), ...goOn(run)];
}

function toConnect({ answer, records }: FinishedRun): NextStep[] {
  if (answer.outcome !== 'never-connected') return [];
  const causes = records.flatMap((record) => neverConnected(record) ?? []);
  return causes.slice(-1).map(({ todo }) => ({ text: todo }));
}

/** The probes ran out before the server did, maybe with the baseline: what carries more of them. */
function moreProbes({ answer, manifest: { plan, server }, records }: FinishedRun): NextStep[] {
  const ranOut = answer.outcome === 'void' && records.some(({ verdict }) => verdict.probesExhausted === true);
  if ((answer.outcome !== 'probe-limited' && !ranOut) || server.nature === 'simulated') return [];
  const ways = [
    ...(mayBeEncoded(plan) ? ['--media encoded, whose probes are cheaper'] : []),
    server.sameHost
      ? 'probes on another machine than the server (--server names one)'
      : 'a machine with more cores for the probes',
  ];
  return [{ text: `What would carry more probes: ${ways.join('; ')}.` }];
}

/** A search that still asks for a size can go on: it was interrupted, killed, out of time, or lost its server. */
function goOn(run: FinishedRun): NextStep[] {
  const { answer, manifest, records, runDirectory } = run;
  const [program, command = ''] = manifest.command;
  if (program !== 'loadline' || !['find', 'simulate'].includes(command) || triedTrial(run)) return [];
  const wasStopped = answer.outcome === 'void' || answer.outcome === 'server-lost';
  if (!wasStopped && answer.cutShort !== true) return [];
  const step = nextStep(manifest.plan.search, records[0]?.size ?? 1, historyOf(records));
  if (step.kind === 'done') return [];
  // A budget that is spent stays spent: going on needs a larger one.
  const budget = manifest.plan.search.budgetMs;
  const more = budget === undefined || wasStopped ? [] : ['--budget', `${Math.ceil(budget / 30_000)}m`];
  const again = run.givenAgain ?? [];
  const secret = again.some((word) => word.includes(redacted)) ? `, with the secret in place of ${redacted}` : '';
  const line = shellLine([program, command, '--resume', runDirectory, ...more, ...again]);
  return [{ text: `To go on with this search${secret}:`, command: line }];
}
