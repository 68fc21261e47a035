import type { FinishedRun } from '../../model/finished-run.js';
import type { MediaChange, Voice } from '../../model/stimulus.js';
import type { TrialRecord } from '../../model/trial.js';
import { isOfVoice } from '../judge/media-changes.js';

interface Proven {
  readonly voice?: Voice;
  readonly changes: readonly MediaChange[];
}

/** What the media server made of the media that it was given, where that was not one for one. */
export function stimulusSentences({ records }: Pick<FinishedRun, 'records'>): string[] {
  const proven = records.map(provenBy);
  const given = proven.findIndex((trial, nth) => hasGivenUp(trial, proven[nth + 1]));
  const light = proven[given]?.find(({ voice }) => voice === 'light');
  const after = records[given]?.voice === 'light' ? given + 1 : given;
  const voice =
    light === undefined
      ? []
      : [
          `The light voice of encoded probes did not come through the media server: from trial ${records[after]?.index ?? after + 1} on they sent the packets of Chromium's own encoder. ${light.changes.find(isOfVoice)?.text ?? 'With it no sound arrived.'}`,
        ];
  const left = proven.flat().filter(({ voice: sent }) => sent !== 'light');
  const texts = new Set(left.flatMap(({ changes }) => changes.slice(0, 1).map(({ text }) => text)));
  const [first] = texts;
  return first === undefined
    ? voice
    : [...voice, `What the media server does to media with one session alone: ${first}`];
}

/** In their order: what its warm-up showed, and the trial itself. */
function provenBy({ warmUp, voice, mediaChanges = [] }: TrialRecord): readonly Proven[] {
  return [...(warmUp?.proofs ?? []), { ...(voice ? { voice } : {}), changes: mediaChanges }];
}

function hasGivenUp(trial: readonly Proven[], next: readonly Proven[] | undefined): boolean {
  const voices = [...trial, ...(next ?? [])].map(({ voice }) => voice);
  return voices[0] === 'light' && voices.includes('ordinary');
}
