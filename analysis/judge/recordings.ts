import type { Reason } from '../../model/verdict.js';
import type { JudgeInput } from './judge-input.js';

/** A recording that is not what was sent is a fault that its owner notices, if only later. */
export function recordingReasons({ recordings, probes }: JudgeInput): Reason[] {
  return (recordings?.faults ?? []).map(({ participant, detail }) => {
    const session = probes.find((probe) => probe.participant.id === participant)?.participant.session;
    return {
      code: 'recording',
      probe: participant,
      ...(session === undefined ? {} : { session }),
      text: `The recording of ${participant} ${detail}.`,
    };
  });
}
