import { judgedWindow } from '../analysis/judge/early-verdict.js';
import { isCrash } from '../analysis/judge/joining.js';
import type { JudgedLoad } from '../analysis/judge/judge-input.js';
import { judgedLoad } from '../analysis/judge/judged-trial.js';
import { measuredFromMs } from '../analysis/measure/stays.js';
import type { ComingOptions, Fleet } from '../probes/fleet.js';
import type { ArrivalSchedule } from './arrival-schedule.js';
import { bounded } from './bounded.js';
import type { Comers } from './comers.js';
import type { SessionBook } from './session-book.js';
import { TrialOver } from './trial-end.js';
import { judgeInputOf } from './trial-record.js';
import type { TrialState } from './trial-state.js';
import { joinBoundMs, joinProbes, launchPatienceMs, untilSettled } from './trial-steps.js';

/** Samples of the window's last second are still on their way from the pages when it ends. */
const lastSamplesMs = 750;

/**
 * The media of a trial by arrivals: of sentinels, who are there before anybody comes and stay to the end, or of those
 * who come, where they are browsers themselves. Where participants signal alone there is none.
 */
export class ArrivingMedia {
  private readonly whose: JudgedLoad['mediaOf'];

  constructor(
    private readonly state: TrialState,
    private readonly schedule: ArrivalSchedule,
    private readonly comers: Comers,
  ) {
    this.whose = judgedLoad(state.plan).mediaOf;
  }

  /** How long it may take before the first can come. */
  get boundMs(): number {
    const { state } = this;
    return this.whose === 'sentinels' ? joinBoundMs(state, state.probed) + state.plan.timing.settleMs : 0;
  }

  /** Until browsers are there, sentinels have joined and rates stopped growing, or their time is over. */
  async prepare(fleet: Fleet, book: SessionBook, options: ComingOptions): Promise<void> {
    if (this.whose === 'sentinels') {
      await joinProbes(this.state, fleet, book, this.state.probed);
      await untilSettled(this.state);
    } else if (this.whose === 'comers') await this.launch(fleet, options);
  }

  windowBegan(startMs: number): void {
    const { state, whose } = this;
    if (whose === 'nobody') return;
    const now = () => judgeInputOf(state, state.probes());
    const window = judgedWindow(now(), startMs, now);
    const startOf = (probe: string) => {
      if (!this.schedule.partyOf.has(probe)) return startMs;
      const upMs = this.comers.upMs.get(probe);
      return upMs === undefined ? undefined : measuredFromMs(upMs, startMs);
    };
    state.intake.windowBegan(whose === 'comers' ? { ...window, startOf } : window);
  }

  windowEnded(endMs: number): void {
    if (this.whose !== 'nobody') this.state.intake.windowEnded(endMs);
  }

  /** Until those of the window have come. */
  async lastSamples(): Promise<void> {
    const { state } = this;
    if (this.whose === 'nobody') return;
    const { clock } = state.setting.parts;
    await clock.sleep(lastSamplesMs, state.signal);
    state.intake.passUntil(clock.nowMs());
    if (this.whose === 'sentinels') state.settleRecords();
  }

  private async launch(fleet: Fleet, options: ComingOptions): Promise<void> {
    const { state } = this;
    const { clock } = state.setting.parts;
    const patienceMs = launchPatienceMs(this.schedule.atOnce(state.participants));
    const result = await bounded(clock, patienceMs, async () => fleet.standBy?.(state.participants, options));
    state.goOn();
    if (!result.inTime) {
      const text = `After ${Math.round(patienceMs / 1000)} s the browsers were not there.`;
      throw new TrialOver({ kind: 'stuck', text });
    }
    // With browsers or hosts missing from the start, nobody who comes would make it another trial than a void one.
    if (state.probes().some(({ failures }) => failures.some(isCrash))) throw new TrialOver({ kind: 'crashed' });
  }
}
