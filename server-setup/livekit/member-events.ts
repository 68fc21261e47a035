import { ConnectionQuality, DisconnectReason, StreamState, SubscriptionError } from '@livekit/protocol';
import type { ServerEvent } from '../../model/server-event.js';
import type { Attendance } from './attendance.js';
import { reasonText } from './refusals.js';
import type { Response } from './signal-socket.js';

/** Of whom it is told. */
interface Told {
  /** The participant, in the server's own name for it. */
  readonly sid: string;
  readonly leg: string;
  readonly attendance: Pick<Attendance, 'identityOf'>;
}

/** What the server says of a participant by itself, as events; empty for what is no news. */
export function eventsOf(message: Response, { sid, leg, attendance }: Told, atMs: number): readonly ServerEvent[] {
  const other = (name: string, detail: string): ServerEvent => ({ kind: 'other', atMs, leg, name, detail });
  switch (message.case) {
    case 'leave':
      return [{ kind: 'failed', of: 'leg', leg, atMs, detail: `sent away: ${leaveText(message.value.reason)}` }];
    case 'connectionQuality':
      return message.value.updates
        .filter((one) => one.participantSid === sid)
        .map(({ quality }) => other('connection-quality', ConnectionQuality[quality]?.toLowerCase() ?? `${quality}`));
    case 'streamStateUpdate':
      // Each picture is told as active when it begins, too.
      return message.value.streamStates
        .filter(({ state }) => state === StreamState.PAUSED)
        .map(({ participantSid }) => {
          const whose = attendance.identityOf(participantSid) ?? participantSid;
          return other('picture-paused', `that of ${whose}`);
        });
    case 'subscriptionResponse':
      return [other('subscription-error', `${message.value.trackSid}: ${SubscriptionError[message.value.err]}`)];
    case 'mute':
      return [other('muted', `${message.value.sid}: ${message.value.muted ? 'muted' : 'unmuted'} by the server`)];
    default:
      return [];
  }
}

/** Of a participant's leaving, as the server gives it. */
export const leaveText = (reason: DisconnectReason): string => reasonText(DisconnectReason[reason] ?? String(reason));
