import { failureReasonsOf } from '../analysis/judge/joining.js';
import { measuringWindow } from '../analysis/measure/window.js';
import { firstFrameWaitMs } from '../model/first-frame.js';
import { given } from '../model/given.js';
import { atOnce } from '../model/in-steps.js';
import type { StimulusProof } from '../model/stimulus.js';
import type { ProbeRecord } from '../model/trial.js';
import type { WarmUp } from '../model/warm-up.js';
import { closeRelay, openRelay } from './network-steps.js';
import { changesIn, giveUpChanged } from './prove-stimulus.js';
import { Scope } from './scope.js';
import { type TrialEnd, TrialOver } from './trial-end.js';
import { TrialState } from './trial-state.js';
import { join, joinBoundMs, lastSamplesMs, proveClean, undoBoundMs } from './trial-steps.js';

/** After joining, jitter buffers fill; then so long is looked at. Chosen. */
const unsteadyMs = 1000;
const provenMs = 4000;
const proveMs = unsteadyMs + provenMs + lastSamplesMs;

/**
 * Encoded probes stay until it is known what comes out of the server for what goes in. Where the light voice does not
 * come through, all of it is done once more with the ordinary one.
 *
 * Where the server is cold: one session (on each server of a cluster) joins until it is up or has failed, leaves, and
 * the server is proven clean again. It has a state of its own that nobody listens to, so nothing of it is a sample, an
 * event or a recording of this trial. A server that refuses it, or goes away, is told with it; the trial then goes on
 * and finds so itself.
 */
export async function warmUp(state: TrialState): Promise<void> {
  const { setting, journal } = state;
  if (setting.warmsUp !== true) return;
  const { listener } = setting.parts;
  const own = ownDesk(state);
  const stayMs = state.voice.of(state.plan) ? proveMs : 0;
  await journal.phase('warm-up', joinBoundMs(own) + stayMs, async () => {
    await state.notListening(async () => {
      const proofs: StimulusProof[] = [];
      for (let tried = own; ; tried = ownDesk(state)) {
        const { warmUp: times, probes, proof } = await joinAndLeave(tried);
        if (proof) proofs.push(proof);
        const isOther = giveUpChanged(state, probes, proof?.changes ?? []);
        const warmUp = { ...times, ...(proofs.length > 0 ? { proofs } : {}) };
        state.findings.add({ warmUp });
        if (!isOther) listener({ type: 'warmed-up', index: setting.index, warmUp });
        state.goOn();
        await proveCleanAfter(tried, state);
        await openRelayAnew(state);
        if (!isOther) return;
      }
    });
  });
}

/** A server that died with its first session and is not back has carried none: that is how the trial ends. */
async function proveCleanAfter({ outcome }: TrialState, state: TrialState): Promise<void> {
  try {
    await proveClean(state, { anew: false });
  } catch (error) {
    if (outcome.kind !== 'server-lost' || state.signal.aborted) throw error;
    const { detail } = outcome;
    state.journal.note({ type: 'server', kind: 'lost', atMs: state.setting.parts.clock.nowMs(), detail });
    throw new TrialOver(outcome);
  }
}

function ownDesk({ setting, signal, relay, voice }: TrialState): TrialState {
  const { scenario, parts } = setting;
  const ownParts = { ...parts, sinks: [], listener: () => undefined };
  const size = scenario.baselineSize * (parts.server.inTurn?.() ?? 1);
  return new TrialState({ ...setting, voice, size, baseline: null, parts: ownParts }, signal, relay);
}

/** What the relay carried is counted of the trial alone. */
async function openRelayAnew(state: TrialState): Promise<void> {
  await closeRelay(state);
  await openRelay(state);
  state.goOn();
}

interface Tried {
  readonly warmUp: WarmUp;
  readonly probes: readonly ProbeRecord[];
  /** Absent: nothing was looked at. */
  readonly proof: StimulusProof | undefined;
}

async function joinAndLeave(own: TrialState): Promise<Tried> {
  const { clock } = own.setting.parts;
  const scope = new Scope(clock, undoBoundMs, (text) => own.journal.warn(text));
  let proof: StimulusProof | undefined;
  try {
    const leave = await join(own, scope);
    proof = await prove(own);
    own.settleRecords();
    await leave();
  } catch (error) {
    own.endBecauseOf(error);
  }
  own.settleRecords();
  await scope.close();
  own.close();
  return { warmUp: recordOf(own, clock.nowMs()), probes: own.probes(), proof };
}

/** Where encoded probes are all up: what comes out of the server for what goes in. */
async function prove(own: TrialState): Promise<StimulusProof | undefined> {
  const { clock } = own.setting.parts;
  const voice = own.voice.of(own.plan);
  if (!voice || own.probesLeft().length < own.participants.length) return undefined;
  const startMs = clock.nowMs() + unsteadyMs;
  const endMs = startMs + provenMs;
  own.intake.windowBegan({ startMs, endMs });
  await clock.sleep(unsteadyMs + provenMs + lastSamplesMs, own.signal);
  own.intake.passUntil(clock.nowMs());
  const measured = measuringWindow(own.intake.fold, own.participants, { startMs, endMs });
  return { voice, changes: changesIn(atOnce(measured)) };
}

function recordOf(own: TrialState, endedAtMs: number): WarmUp {
  const probes = own.probes();
  const failure = endText(own.outcome) ?? failureReasonsOf(probes)[0]?.text;
  const joinMs = slowest(probes, ({ join: times }) => times.dtlsConnectedMs ?? times.iceConnectedMs);
  const receiving = probes.filter(({ participant }) => participant.legs.some(({ receives }) => receives.length > 0));
  const firstFrameMs = slowest(receiving, ({ join: times }) => firstFrameWaitMs(times));
  return {
    startedAtMs: own.journal.startedAtMs,
    endedAtMs,
    probesAsked: own.participants.length,
    probesUp: probes.filter(({ up }) => up).length,
    ...given({ joinMs, firstFrameMs, failure }),
  };
}

/** Absent unless every probe has this time: one that lacks it may have been the slowest. */
function slowest(
  probes: readonly ProbeRecord[],
  timeOf: (probe: ProbeRecord) => number | undefined,
): number | undefined {
  const times = probes.flatMap((probe) => timeOf(probe) ?? []);
  return times.length === probes.length && times.length > 0 ? Math.max(...times) : undefined;
}

/** What ended the warm-up as a whole, whatever became of single probes; `undefined` when nothing did. */
function endText(end: TrialEnd): string | undefined {
  switch (end.kind) {
    case 'complete':
      return undefined;
    case 'interrupted':
      return 'It was interrupted.';
    case 'server-lost':
      return `The media server went away: ${end.detail}.`;
    case 'turn-lost':
      return `The TURN server went away: it ${end.detail}.`;
    case 'crashed':
      return 'Every probe fell with its page or browser.';
    case 'stuck':
      return end.text;
    case 'failed':
      return `${end.error.message} (${end.error.code})`;
  }
}
