import { baselineAfter, baselineFor } from '../analysis/measure/baseline.js';
import { warmUpsOf } from '../analysis/measure/warm-ups.js';
import { historyOf } from '../analysis/search/history.js';
import { answerOfLost, bracketOf, unfinishedAnswer } from '../analysis/search/known-so-far.js';
import { nextPace } from '../analysis/search/pace.js';
import { runResult } from '../analysis/search/result.js';
import { answerOutOfTime } from '../analysis/search/time-budget.js';
import { LoadlineError } from '../model/errors.js';
import { given } from '../model/given.js';
import type { Plan } from '../model/plan.js';
import { type Answer, heldLimit, type Manifest, type RunResult, type Step, type TrialOutcome } from '../model/run.js';
import type { RunEvent } from '../model/run-event.js';
import type { Scenario } from '../model/scenario.js';
import type { Baseline, TrialRecord } from '../model/trial.js';
import { bounded } from './bounded.js';
import { assertCanCarry } from './can-carry.js';
import { losingHost } from './drill.js';
import type { Parts } from './parts.js';
import { assertSameEnvironment, type ResumedRun, shownFacts } from './resumed-run.js';
import { type FoundFacts, manifestOf, wholeWindows } from './run-manifest.js';
import { runTrial, type Scene } from './run-trial.js';
import { SentVoice } from './sent-voice.js';
import { ServerWatch } from './server-watch.js';
import type { TrialEnd } from './trial-end.js';

type TryStep = Extract<Step, { kind: 'try' }>;

const recoveryBoundMs = 30_000;

/** Errors of the media server, and of the relay before it, end a run with what is known; all others are thrown. */
const serverErrors: ReadonlySet<string> = new Set([
  'E_SERVER_UNREACHABLE',
  'E_SERVER_PROTOCOL',
  'E_SERVER_LOST',
  'E_SERVER_REFUSED',
  'E_SERVER_TIMEOUT',
  'E_NOT_CLEAN',
  'E_TURN_START',
  'E_TURN_UNREACHABLE',
]);

/** What a run is to find out. */
export interface RunOrder {
  readonly plan: Plan;
  readonly scenario: Scenario;
  /** The stored run whose trials it goes on after; absent: it begins. */
  readonly resumed?: ResumedRun;
}

type NextStep = (history: readonly TrialOutcome[]) => Step;

/** Runs the trials that `nextStep` asks for, from the start of the media server to the stored answer. */
export async function conductRun(
  order: RunOrder,
  nextStep: NextStep,
  parts: Parts,
  signal: AbortSignal,
): Promise<RunResult> {
  const { scenario, resumed } = order;
  const watch = new ServerWatch(parts.server);
  try {
    const startedAtMs = parts.clock.nowMs();
    // Before the server, which may listen on an address of theirs.
    const networks = await parts.networks?.start(signal);
    const server = await parts.server.start(signal);
    const facts = { ...shownFacts(server), startedInMs: parts.clock.nowMs() - startedAtMs };
    assertCanCarry(scenario, facts);
    const turn = await parts.relay?.start(signal);
    const { host, chromium, loadlineVersion: loadline } = parts;
    if (resumed) assertSameEnvironment(resumed, { loadline, server: facts, turn, host, chromium });
    const run = new Run(order, telling(parts), watch, { server: facts, turn, networks });
    try {
      await run.open();
      const answer = await run.search(nextStep, signal);
      return await run.finish(answer);
    } finally {
      await Promise.all(parts.sinks.map((sink) => sink.close()));
    }
  } finally {
    await parts.relay?.stop();
    await parts.server.stop();
    await parts.networks?.stop();
  }
}

/** The same parts, with every event told to the sinks, too. */
function telling(parts: Parts): Parts {
  const listener = (event: RunEvent) => {
    for (const sink of parts.sinks) sink.writeEvent?.(event);
    parts.listener(event);
  };
  return { ...parts, listener };
}

class Run {
  private readonly records: TrialRecord[] = [];
  private readonly manifest: Manifest;
  private baseline: Baseline | null = null;
  /** The server was just met, or has just come back: what it does only once it has not done yet. */
  private isCold = true;
  private readonly voice: SentVoice;

  constructor(
    private readonly order: RunOrder,
    private readonly parts: Parts,
    private readonly watch: ServerWatch,
    facts: FoundFacts,
  ) {
    const { plan, scenario, resumed } = order;
    this.voice = new SentVoice(facts.server.abilities, scenario);
    for (const record of resumed?.records ?? []) this.remember(record);
    this.manifest = manifestOf({ plan, scenario, parts, facts, resumed });
  }

  private get history(): readonly TrialOutcome[] {
    return historyOf(this.records);
  }

  async open(): Promise<void> {
    const { manifest, parts } = this;
    const { resumed } = this.order;
    for (const sink of parts.sinks) await sink.open(manifest);
    const past = resumed ? { past: resumed.records } : {};
    parts.listener({ type: 'run-started', manifest, runDirectory: parts.runDirectory, ...past });
  }

  async search(nextStep: NextStep, signal: AbortSignal): Promise<Answer> {
    while (!signal.aborted) {
      const step = nextStep(this.history);
      if (step.kind === 'done') {
        await this.drill(step.answer, signal);
        return step.answer;
      }
      const outOfTime = this.outOfTime(step);
      if (outOfTime) return outOfTime;
      const end = await this.try(step, signal);
      const obstacle = signal.aborted ? undefined : await this.obstacleAfter(end, signal, nextStep);
      if (obstacle !== undefined) return answerOfLost(this.history, obstacle);
    }
    return { ...unfinishedAnswer(this.history, 'The run was interrupted.'), interrupted: true };
  }

  async finish(answer: Answer): Promise<RunResult> {
    const { manifest, records, parts } = this;
    const result = runResult({ manifest, records, answer, runDirectory: parts.runDirectory });
    for (const sink of parts.sinks) await sink.writeAnswer(answer, result);
    parts.listener({ type: 'run-ended', answer, result });
    return result;
  }

  /** After the search: in a trial of its own at the size that held, a server of the cluster is taken away. */
  private async drill(answer: Answer, signal: AbortSignal): Promise<void> {
    const { drill, search } = this.order.plan;
    const held = heldLimit(answer);
    if (!drill || held === undefined || this.records.some((record) => record.drill)) return;
    const text = `${held} held: in this trial a server is taken away.`;
    const holdMs = search.holdMs === undefined ? {} : { holdMs: search.holdMs };
    await this.try({ kind: 'try', size: held, why: 'drill', text, ...holdMs }, signal, losingHost);
  }

  private outOfTime({ size, holdMs }: TryStep): Answer | undefined {
    const { records, history } = this;
    const { plan, scenario } = this.order;
    const { baselineSize } = scenario;
    const next = { probes: this.probesOf(size), warmsUp: this.warmsUp(), ...given({ holdMs }) };
    return answerOutOfTime({ plan, baselineSize, records, history, next });
  }

  private warmsUp(): boolean {
    const which = warmUpsOf(this.order.plan);
    return which === 'each' || (which === 'first' && this.isCold);
  }

  private probesOf(size: number): number {
    return this.order.scenario.sessions(size).reduce((count, session) => count + session.participants.length, 0);
  }

  private async try(step: TryStep, signal: AbortSignal, scene?: Scene): Promise<TrialEnd> {
    const { parts, watch } = this;
    const { plan, scenario } = this.order;
    // What follows from a drill is what it is for: its window is not cut short.
    const manifest = scene ? wholeWindows(this.manifest) : this.manifest;
    const index = this.records.length + 1;
    const { size, why, text, screens, foresees, holdMs, atPlanPace } = step;
    const { timing } = plan;
    const probes = this.probesOf(size);
    parts.listener({ type: 'trial-started', index, size, probes, why, text });
    const baseline = baselineFor(this.baseline, scenario.baselineSize, size);
    const setting = {
      run: manifest,
      scenario,
      parts,
      watch,
      index,
      size,
      why,
      ...given({ screens, foresees, heldMs: holdMs }),
      ...(timing.autoPace
        ? { pacePerSecond: atPlanPace ? timing.pacePerSecond : nextPace(timing, this.records, probes) }
        : {}),
      warmsUp: this.warmsUp(),
      voice: this.voice,
      baseline,
    };
    const { record, end } = await runTrial(setting, signal, scene);
    this.remember(record);
    if (record.warmUp) this.isCold = false;
    parts.listener({ type: 'trial-ended', record, bracket: bracketOf(this.history) });
    return end;
  }

  private remember(record: TrialRecord): void {
    this.records.push(record);
    if (record.voice === 'ordinary') this.voice.giveUp();
    this.baseline = baselineAfter(this.baseline, this.order.scenario.baselineSize, record);
  }

  /** Why the run cannot go on after a trial that ended so; `undefined` when it can. Throws what is not the server's. */
  private async obstacleAfter(end: TrialEnd, signal: AbortSignal, nextStep: NextStep): Promise<string | undefined> {
    if (end.kind === 'failed') {
      if (!serverErrors.has(end.error.code)) throw end.error;
      return `${end.error.message} (${end.error.code})`;
    }
    if (end.kind !== 'server-lost' || nextStep(this.history).kind === 'done') return undefined;
    return this.obstacleToRecovery(signal);
  }

  /** A server that was lost and answers again, clean, may carry the next trial; a dead one ends the run. */
  private async obstacleToRecovery(signal: AbortSignal): Promise<string | undefined> {
    const { clock, server } = this.parts;
    const reset = (late: AbortSignal) => server.reset(AbortSignal.any([signal, late]));
    const lost = `The media server went away in trial ${this.records.length} and did not come back (E_SERVER_LOST).`;
    try {
      const result = await bounded(clock, recoveryBoundMs, reset);
      this.isCold = true;
      return result.inTime ? undefined : lost;
    } catch (error) {
      if (signal.aborted) return undefined;
      return error instanceof LoadlineError ? `${lost} ${error.message}` : lost;
    }
  }
}
