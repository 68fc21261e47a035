import {
  ConnectionQuality,
  DisconnectReason,
  type LeaveRequest,
  LeaveRequest_Action,
  type ParticipantPermission,
  StreamState,
  SubscriptionError,
} from '@livekit/protocol';
import { shortText } from '../../model/plain-text.js';
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
      return [{ kind: 'failed', of: 'leg', leg, atMs, detail: `sent away: ${leaveText(message.value)}` }];
    case 'update':
      return message.value.participants.flatMap((one) =>
        one.sid === sid && one.permission ? [other(permissionEvent, permissionText(one.permission))] : [],
      );
    case 'trackUnpublished':
      return [other('track-unpublished', `${message.value.trackSid}: taken out of the room by the server`)];
    case 'subscriptionPermissionUpdate': {
      const { participantSid, trackSid, allowed } = message.value;
      const whose = attendance.identityOf(participantSid) ?? participantSid;
      return [other('subscription-permission', `${trackSid} of ${whose}: ${allowed ? 'allowed' : 'not allowed'}`)];
    }
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

export const permissionEvent = 'permission';

export const permissionText = ({ canPublish, canSubscribe }: ParticipantPermission): string =>
  `it ${canPublish ? 'may' : 'may not'} publish, and ${canSubscribe ? 'may' : 'may not'} subscribe`;

/** Of a participant's leaving, as the server gives it. It is not followed to where it is sent. */
export function leaveText({ reason, action, regions }: LeaveRequest): string {
  const name = reasonText(DisconnectReason[reason] ?? String(reason));
  const named = shortText((regions?.regions ?? []).map(({ region }) => region).join(', '), 100);
  const comesBack = action === LeaveRequest_Action.DISCONNECT ? '' : ', and is asked to connect again';
  return `${name}${comesBack}${named === '' ? '' : ` (regions: ${named})`}`;
}
