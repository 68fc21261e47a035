import { judgedWindow } from '../analysis/judge/early-verdict.js';
import { measuredFromMs } from '../analysis/measure/stays.js';
import { isCrash } from '../model/crash.js';
import type { Fleet, JoinOptions } from '../probes/fleet.js';
import type { ArrivalSchedule } from './arrival-schedule.js';
import { bounded } from './bounded.js';
import type { SessionBook } from './session-book.js';
import type { TrialDesk } from './trial-desk.js';
import { TrialOver } from './trial-end.js';
import { judgeInputOf } from './trial-record.js';
import { joinBoundMs, joinProbes, launchPatienceMs, untilSettled } from './trial-steps.js';

/** Samples of the window's last second are still on their way from the pages when it ends. */
const lastSamplesMs = 750;

/**
 * The media of a trial by arrivals: of sentinels, who are there before anybody comes and stay to the end, or of those who come, where they are
 * browsers themselves. Where participants signal alone there is none.
 */
export class ArrivingMedia {
  /** When each who came was up. */
  private readonly upMs = new Map<string, number>();

  constructor(
    private readonly desk: TrialDesk,
    private readonly schedule: ArrivalSchedule,
  ) {
    const { whose } = this;
    if (whose === 'comers') desk.cameUp = (probe, atMs) => this.cameUp(probe, atMs);
  }

  /** How long it may take before the first can come. */
  get boundMs(): number {
    const { desk } = this;
    return this.whose === 'sentinels' ? joinBoundMs(desk, desk.probed) + desk.plan.timing.settleMs : 0;
  }

  /** Until browsers are there, and sentinels have joined and their rates have stopped growing, or what that may take is over. */
  async prepare(fleet: Fleet, book: SessionBook, options: JoinOptions): Promise<void> {
    if (this.whose === 'sentinels') {
      await joinProbes(this.desk, fleet, book, this.desk.probed);
      await untilSettled(this.desk);
    } else if (this.whose === 'comers') await this.launch(fleet, options);
  }

  windowBegan(startMs: number): void {
    const { desk, whose } = this;
    if (whose === undefined) return;
    const window = judgedWindow(judgeInputOf(desk, desk.probes()), startMs);
    const startOf = (probe: string) => {
      if (!this.schedule.partyOf.has(probe)) return startMs;
      const upMs = this.upMs.get(probe);
      return upMs === undefined ? undefined : measuredFromMs(upMs, startMs);
    };
    desk.intake.windowBegan(whose === 'comers' ? { ...window, startOf } : window);
  }

  windowEnded(endMs: number): void {
    if (this.whose !== undefined) this.desk.intake.windowEnded(endMs);
  }

  /** Until those of the window have come. */
  async lastSamples(): Promise<void> {
    const { desk } = this;
    if (this.whose === undefined) return;
    const { clock } = desk.setting.parts;
    await clock.sleep(lastSamplesMs, desk.signal);
    desk.intake.passUntil(clock.nowMs());
    if (this.whose === 'sentinels') desk.settleRecords();
  }

  private cameUp(probe: string, atMs: number): void {
    if (!this.schedule.partyOf.has(probe)) return;
    this.upMs.set(probe, atMs);
    this.desk.intake.fold.came(probe);
  }

  private async launch(fleet: Fleet, options: JoinOptions): Promise<void> {
    const { desk } = this;
    const { clock } = desk.setting.parts;
    const patienceMs = launchPatienceMs(this.schedule.atOnce(desk.participants));
    const result = await bounded(clock, patienceMs, async () => fleet.standBy?.(desk.participants, options));
    desk.goOn();
    if (!result.inTime) {
      const text = `After ${Math.round(patienceMs / 1000)} s the browsers were not there.`;
      throw new TrialOver({ kind: 'stuck', text });
    }
    // With browsers or hosts missing from the start, nobody who comes would make it another trial than a void one.
    if (desk.probes().some(({ failures }) => failures.some(isCrash))) throw new TrialOver({ kind: 'crashed' });
  }

  private get whose(): 'sentinels' | 'comers' | undefined {
    const { players } = this.desk.plan;
    if (players.kind !== 'signalling') return 'comers';
    return players.sentinels === 0 ? undefined : 'sentinels';
  }
}
