import { type Leg, type Participant, type ReceivedStream, receivedStreams } from './scenario.js';

export interface ExpectedStream extends ReceivedStream {
  readonly participant: Participant;
  readonly leg: Leg;
  readonly direction: 'send' | 'receive';
}

/** Whether it is what the server mixes of everybody for whoever receives it. */
export function isMix({ direction, from }: ExpectedStream): boolean {
  return direction === 'receive' && from !== undefined && 'mix' in from;
}

export function expectedStreams(participants: readonly Participant[]): ExpectedStream[] {
  return participants.flatMap((participant) =>
    participant.legs.flatMap((leg) => [
      ...leg.sends.map((kind) => ({ participant, leg, direction: 'send', kind }) as const),
      ...receivedStreams(leg).map((stream) => ({ participant, leg, direction: 'receive', ...stream }) as const),
    ]),
  );
}
