import type { FinishedRun } from '../../model/finished-run.js';
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
  return [...moreProbes(run), ...goOn(run)];
}

/** The probes ran out before the server did: what carries more of them. */
function moreProbes({ answer, manifest: { plan, server } }: FinishedRun): NextStep[] {
  if (answer.outcome !== 'probe-limited' || server.nature === 'simulated') return [];
  const ways = [
    ...(plan.players.kind === 'full' ? ['--media encoded, whose probes are cheaper'] : []),
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
  return [
    { text: 'To go on with this search:', command: shellLine([program, command, '--resume', runDirectory, ...more]) },
  ];
}
