import { setMaxListeners } from 'node:events';
import { decisionMoments, decisiveJoining, decisivePartUntil, judgedWindow } from '../analysis/judge/early-verdict.js';
import { isCrash } from '../analysis/judge/joining.js';
import { judge } from '../analysis/judge/judge.js';
import { type JudgeInput, joiningSpan } from '../analysis/judge/judge-input.js';
import type { EarlyEnd } from '../model/early-end.js';
import { LoadlineError } from '../model/errors.js';
import { withPauses } from '../model/in-steps.js';
import type { Participant } from '../model/scenario.js';
import type { Fleet } from '../probes/fleet.js';
import type { ResetHow } from '../server-setup/media-server.js';
import { abandonedAfter, bounded } from './bounded.js';
import { beginChanges, clearNetworks, closeRelay, openRelay, shapeNetworks, viaRelay } from './network-steps.js';
import type { Scope } from './scope.js';
import { mayScreen, Screening } from './screening.js';
import { SessionBook } from './session-book.js';
import { TrialOver } from './trial-end.js';
import { judgeInputOf } from './trial-record.js';
import type { TrialState } from './trial-state.js';

/** Each undo is waited for no longer. */
export const undoBoundMs = 30_000;
const resetBoundMs = 60_000;
/** To open a relay, where there is no network to measure. */
const relayBoundMs = 40_000;
/**
 * Browsers start before the first participant does, a few at a time: so long for the slowest that may be begun twice,
 * and so long for each probe more.
 */
const launchBoundMs = 120_000;
const launchPerProbeMs = 1000;
/** A fleet that was told to stop joining gets so long to say that it has. */
const abandonMs = 10_000;
/** Samples of the window's last second are still on their way from the pages when it ends. */
export const lastSamplesMs = 750;
const secondMs = 1000;

/** Throws E_SERVER_TIMEOUT, and what the server's own reset throws: E_NOT_CLEAN when it keeps what is ours. */
export async function reset(state: TrialState): Promise<void> {
  const { journal, setting } = state;
  const { othersOnHost } = setting.parts;
  for (const other of (await othersOnHost?.()) ?? []) journal.warn(other);
  await journal.phase('reset', resetBoundMs, () => proveClean(state));
}

/** The reset itself, of which there are two in a trial that warms the server up. */
export async function proveClean(state: TrialState, how?: ResetHow): Promise<void> {
  const { journal, setting, signal, findings } = state;
  const isFirst = findings.now.reset === undefined;
  const { server, clock } = setting.parts;
  const result = await bounded(clock, resetBoundMs, (late) => server.reset(either(signal, late), how));
  state.goOn();
  if (!result.inTime) {
    const why = `reset took longer than ${resetBoundMs / 1000} s`;
    throw new LoadlineError('E_SERVER_TIMEOUT', 'The media server did not reset in time.', { why });
  }
  const proof = result.value;
  findings.wasReset(proof);
  journal.note({ type: 'server', kind: 'reset', atMs: clock.nowMs(), proof });
  if (proof.foreign && isFirst) journal.warn(foreignWords(proof.foreign));
}

/** The networks of the probes, and the relay between them and the server. Returns what clears them. */
export async function applyNetwork(state: TrialState, scope: Scope): Promise<() => Promise<void>> {
  const { journal } = state;
  const clear = scope.defer('clear the network', async () => {
    const usage = await closeRelay(state);
    if (usage) state.findings.add({ turn: usage });
    await clearNetworks(state);
  });
  const boundMs = state.setting.parts.networks?.applyBoundMs ?? relayBoundMs;
  await journal.phase('network', boundMs, async () => {
    await shapeNetworks(state);
    await openRelay(state);
  });
  state.goOn();
  return () => journal.phase('clear-network', undoBoundMs, clear);
}

/** How long joining may take by the plan: the last one's start, and the time it has. */
export function joinBoundMs(
  { plan, participants: all, pacePerSecond }: TrialState,
  participants: readonly Participant[] = all,
): number {
  return ((participants.length - 1) * 1000) / pacePerSecond + plan.thresholds.joinMsMax;
}

export const launchPatienceMs = (probes: number): number => launchBoundMs + probes * launchPerProbeMs;

/** Until each of them is up or has failed. */
export async function joinProbes(
  state: TrialState,
  fleet: Fleet,
  book: SessionBook,
  participants: readonly Participant[],
): Promise<void> {
  const { plan, setting, signal, pacePerSecond } = state;
  const { clock } = setting.parts;
  const deadlineMs = plan.thresholds.joinMsMax;
  const heard = setting.baseline === null ? state.findings.heard : undefined;
  const { negotiate, begin } = viaRelay(state, {
    negotiate: heard?.negotiating(book.negotiate) ?? book.negotiate,
    begin: heard?.beginning(book.begin) ?? book.begin,
  });
  const patienceMs = joinBoundMs(state, participants) + launchPatienceMs(participants.length);
  const result = await bounded(clock, patienceMs, (late) => {
    const options = { pacePerSecond, deadlineMs, negotiate, begin, signal: either(signal, late) };
    return abandonedAfter(clock, signal, abandonMs, fleet.join(participants, options));
  });
  state.goOn();
  if (result.inTime) return;
  const text = `After ${Math.round(patienceMs / 1000)} s some probes were neither up nor failed.`;
  throw new TrialOver({ kind: 'stuck', text });
}

/** All join. Returns what makes them leave: hang up, close the sessions, end the browsers. */
export async function join(state: TrialState, scope: Scope): Promise<() => Promise<void>> {
  const { setting, participants, journal, signal } = state;
  const { parts } = setting;
  const fleet = state.startFleet();
  const book = new SessionBook(parts.server, state.sessions, signal);
  state.intake.asks.askBy((request) => book.ask(request));
  const endBrowsers = scope.defer('end the browsers', () => fleet.close());
  const closeSessions = scope.defer('close the sessions on the media server', () => book.close());
  const hangUp = scope.defer('hang up the probes', () => fleet.leave());
  const endRecordings = scope.defer('end the recordings', async () => parts.server.recordings?.stop());
  const stopReading = scope.defer('stop reading the load of the hosts', () => state.evidence.stop());
  state.evidence.start();
  await journal.phase('join', joinBoundMs(state), () => joinProbes(state, fleet, book, participants));
  return () =>
    journal.phase('leave', undoBoundMs, async () => {
      for (const undo of [stopReading, endRecordings, hangUp, closeSessions, endBrowsers]) await undo();
    });
}

/**
 * Ends when rates have stopped growing, or at its bound; with `whole`, at its bound alone. With no probe left there is
 * nothing to wait for.
 */
export async function settle(state: TrialState, { whole = false } = {}): Promise<void> {
  const { plan, findings } = state;
  const { settleMs } = plan.timing;
  const early = earlyEndAfterJoining(state);
  if (early) {
    findings.add({ endedEarly: early });
    state.settleRecords();
  }
  if (early || state.probesLeft().length === 0) return;
  await state.journal.phase('settle', settleMs, () => {
    state.intake.joined(joiningSpan(state.journal)?.endMs ?? Number.POSITIVE_INFINITY);
    return untilSettled(state, whole);
  });
}

export async function untilSettled(state: TrialState, whole = false): Promise<void> {
  const { clock } = state.setting.parts;
  const endMs = clock.nowMs() + state.plan.timing.settleMs;
  while (clock.nowMs() < endMs && state.probesLeft().length > 0) {
    const isSettled = state.intake.isSettled(clock.nowMs());
    if (!whole && (await withPauses(isSettled, () => clock.sleep(0, state.signal)))) return;
    await clock.sleep(Math.min(secondMs, endMs - clock.nowMs()), state.signal);
  }
}

/**
 * The window is as long as planned, but for four ends: the trial's own, a fleet that crashed to the last probe,
 * a verdict that no rest of the window can change, and in a trial that only steers, one that is clearly stable.
 */
export async function measure(state: TrialState): Promise<void> {
  const { plan, findings } = state;
  const { clock } = state.setting.parts;
  const measureMs = state.setting.heldMs ?? plan.timing.measureMs;
  if (findings.now.endedEarly || state.probesLeft().length === 0) return;
  await state.journal.phase('measure', measureMs, async () => {
    const startMs = clock.nowMs();
    const endMs = startMs + measureMs;
    findings.windowBegan(startMs);
    const now = () => judgeInputOf(state, state.probes());
    state.intake.windowBegan({ ...judgedWindow(now(), startMs, now), keepsEnds: mayScreen(state) });
    const endChanges = beginChanges(state);
    const moments = [...decisionMoments(measureMs)];
    const screening = new Screening(state, startMs);
    const isDecided = () => findings.now.endedEarly ?? findings.now.screened;
    try {
      while (clock.nowMs() < endMs && !isDecided()) {
        await clock.sleep(Math.min(secondMs, endMs - clock.nowMs()), state.signal);
        if (state.probes().every((probe) => probe.failures.some(isCrash))) throw new TrialOver({ kind: 'crashed' });
        const [moment] = moments;
        if (moment === undefined || clock.nowMs() < startMs + moment + lastSamplesMs) continue;
        const early = earlyEndAt(state, startMs, moment);
        if (early) findings.add({ endedEarly: early });
        else screening.look(moment);
        if (!isDecided()) state.intake.windowGoesOn(startMs + moment);
        moments.shift();
      }
    } finally {
      endChanges();
      const decided = isDecided();
      const endedMs = Math.min(decided ? startMs + decided.afterMs : endMs, clock.nowMs());
      findings.windowEnded(endedMs);
      state.intake.windowEnded(endedMs);
    }
    if (!isDecided()) await clock.sleep(lastSamplesMs, state.signal);
    state.intake.passUntil(clock.nowMs());
    state.settleRecords();
  });
}

function either(one: AbortSignal, other: AbortSignal): AbortSignal {
  const signal = AbortSignal.any([one, other]);
  // Every probe that joins listens: Node's warning at eleven is meant for leaks.
  setMaxListeners(0, signal);
  return signal;
}

/** What is ours was proven gone by the reset itself; what is left belongs to others. */
function foreignWords(sessions: number): string {
  return `The media server also carries ${sessions} sessions of others: their load is in every number of this trial.`;
}

/** Why there is no point in measuring, when joining is over; `undefined` when there is. */
function earlyEndAfterJoining(state: TrialState): EarlyEnd | undefined {
  return endOf(state, 0, (input) => decisiveJoining(input));
}

/** Why the window may end at this moment, counted from its start; `undefined` when the rest can still matter. */
function earlyEndAt(state: TrialState, startMs: number, momentMs: number): EarlyEnd | undefined {
  const window = { startMs, endMs: startMs + momentMs };
  state.intake.passUntil(window.endMs);
  return endOf(state, momentMs, (input) => decisivePartUntil({ ...input, window }, momentMs));
}

/** The first trial of a run is never ended early: it is the yardstick, and if it fails everything of it is wanted. */
function endOf(
  state: TrialState,
  afterMs: number,
  decide: (input: JudgeInput) => JudgeInput | undefined,
): EarlyEnd | undefined {
  const { plan, setting } = state;
  if (plan.timing.earlyStop === false || setting.baseline === null) return undefined;
  const part = decide(judgeInputOf(state, state.probes()));
  const verdict = part && judge(part);
  if (verdict?.kind !== 'unstable') return undefined;
  return { afterMs, because: verdict.reasons[0]?.text ?? 'It cannot become stable any more.' };
}
