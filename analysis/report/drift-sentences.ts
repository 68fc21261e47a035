import type { FinishedRun } from '../../model/finished-run.js';
import type { Drift } from '../../model/run.js';
import { numberNear } from '../wording/wording.js';
import { countOf } from './headline.js';

type Cost = Drift['costs'][number];

const costWords: Readonly<Record<Cost['of'], (value: number) => string>> = {
  serverCores: (value) => `${numberNear(value)} cores`,
  serverMemoryMb: (value) => `${numberNear(value)} MB of memory`,
  firstFrameMs: (value) => `${numberNear(value / 1000)} s to the first frame`,
};

/** What shows that a server got worse, beside its verdicts, and what can be done about it. */
export function driftSentences(run: FinishedRun): string[] {
  const { drift } = run.answer;
  if (!drift) return [];
  return [...drift.costs.map((cost) => costSentence(run, cost)), remedy];
}

function costSentence(run: FinishedRun, { of, size, early, late }: Cost): string {
  const words = costWords[of];
  return `The same ${countOf(run, size)}: ${words(early.value)} in trial ${early.trial}, ${words(late.value)} in trial ${late.trial}.`;
}

const remedy =
  'A server that is started anew before each trial has the same limit in each: --reset restart, where Loadline may start it. What it loses with time is a finding of its own.';
