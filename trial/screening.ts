import { judge } from '../analysis/judge/judge.js';
import { clearlyStable, firstClearMs, marginsOf } from '../analysis/judge/screening.js';
import type { Margin } from '../model/trial-cost.js';
import { judgeInputOf } from './trial-record.js';
import type { TrialState } from './trial-state.js';

export const mayScreen = ({ setting: { screens, baseline } }: TrialState): boolean =>
  screens === true && baseline !== null;

/** Looks at a trial that only steers the search, at the moments at which it may be decided. */
export class Screening {
  private before: readonly Margin[] = [];

  constructor(
    private readonly state: TrialState,
    private readonly startMs: number,
  ) {}

  /** Tells the findings when everything is clearly within its limits. What is folded reaches to this moment. */
  look(momentMs: number): void {
    const { findings } = this.state;
    if (!mayScreen(this.state) || momentMs < firstClearMs) return;
    const now = this.marginsAt(momentMs);
    const nearest = clearlyStable(this.before, now);
    this.before = now;
    if (!nearest) return;
    const used = `${Math.round(nearest.usedPercent)} %`;
    findings.add({
      screened: {
        afterMs: momentMs,
        because: `It only steers the search, and all was clear: nearest was ${nearest.label}, ${used} of the way to its limit.`,
      },
    });
  }

  private marginsAt(momentMs: number): readonly Margin[] {
    const { startMs, state } = this;
    const input = judgeInputOf(state, state.probes());
    const part = {
      ...input,
      window: { startMs, endMs: startMs + momentMs },
      timing: { ...input.timing, measureMs: momentMs },
    };
    const { kind, thresholds } = judge(part);
    return kind === 'stable' ? (marginsOf(thresholds) ?? []) : [];
  }
}
