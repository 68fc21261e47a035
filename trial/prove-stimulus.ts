import { isOfVoice, mediaChanges, voiceWords } from '../analysis/judge/media-changes.js';
import type { MeasuredWindow } from '../analysis/measure/window.js';
import { comeAndGo } from '../model/load.js';
import type { MediaChange } from '../model/stimulus.js';
import type { ProbeRecord, TrialRecord } from '../model/trial.js';
import type { TrialState } from './trial-state.js';

/** What a session alone says of media in and out. A light voice that failed is given up, with an event. */
export function proveStimulus(
  state: TrialState,
  measured: MeasuredWindow | undefined,
): Pick<TrialRecord, 'voice' | 'mediaChanges'> {
  const { plan, setting } = state;
  const voice = state.voice.of(plan);
  const proves = setting.baseline === null && !comeAndGo(plan.load);
  const mediaChanges = proves ? changesIn(measured) : [];
  if (proves) giveUpChanged(state, state.probes(), mediaChanges);
  return { ...(voice ? { voice } : {}), ...(mediaChanges.length > 0 ? { mediaChanges } : {}) };
}

export function changesIn(measured: MeasuredWindow | undefined): readonly MediaChange[] {
  return measured ? mediaChanges(measured) : [];
}

/** Whether the voice is another one from here on. */
export function giveUpChanged(
  { voice, plan, journal }: Pick<TrialState, 'voice' | 'plan' | 'journal'>,
  probes: readonly ProbeRecord[],
  changes: readonly MediaChange[],
): boolean {
  if (voice.of(plan) !== 'light' || !(changes.some(isOfVoice) || probes.some(hearsNobody))) return false;
  journal.warn(voiceWords('light', changes));
  voice.giveUp();
  return true;
}

function hearsNobody({ failures }: ProbeRecord): boolean {
  return failures.some(
    ({ code, missing = [] }) => code === 'no-media' && missing.some((one) => one.startsWith('audio')),
  );
}
