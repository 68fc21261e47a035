import type { ServerEvent } from '../../model/server-event.js';
import type { IceCandidate } from '../../model/signalling.js';
import type { JanusFrame } from './frame.js';

interface LegListener {
  readonly onCandidate: (candidate: IceCandidate) => void;
  readonly onEvent: (event: ServerEvent) => void;
}

/** Hands on what Janus says by itself of the connection of a leg. */
export function handOn(frame: JanusFrame, leg: string, { onCandidate, onEvent }: LegListener): void {
  const candidate = candidateOf(frame);
  if (candidate) onCandidate(candidate);
  const event = translated(frame, leg, Date.now());
  if (event) onEvent(event);
}

/** `undefined` for what is no news. */
function translated(frame: JanusFrame, leg: string, atMs: number): ServerEvent | undefined {
  switch (frame.janus) {
    case 'webrtcup':
      return { kind: 'connection', atMs, leg, state: 'webrtcup' };
    case 'hangup':
      return { kind: 'connection', atMs, leg, state: `hangup: ${frame.reason ?? 'no reason given'}` };
    case 'media':
      return mediaEvent(frame, leg, atMs);
    case 'slowlink':
      return { kind: 'other', atMs, leg, name: 'slow_link', detail: slowText(frame) };
    default:
      return undefined;
  }
}

function mediaEvent({ type, receiving }: JanusFrame, leg: string, atMs: number): ServerEvent | undefined {
  if ((type !== 'audio' && type !== 'video') || receiving === undefined) return undefined;
  return { kind: 'flow', atMs, leg, from: 'participant', media: type, flows: receiving };
}

/** Janus counts from the participant's side: its uplink is what it sends (documentation of `slowlink`). */
function slowText({ media = 'media', uplink, lost }: JanusFrame): string {
  const way = uplink === true ? 'from the participant' : 'to the participant';
  return `${media} ${way}: ${lost ?? 'some'} packets lost in a second`;
}

/** A candidate of Janus with `full_trickle`; `undefined` for other frames and the end of candidates. */
function candidateOf({ janus, candidate: found }: JanusFrame): IceCandidate | undefined {
  if (janus !== 'trickle' || !found) return undefined;
  const { candidate, sdpMid, sdpMLineIndex } = found;
  if (typeof candidate !== 'string') return undefined;
  return {
    candidate,
    sdpMid: typeof sdpMid === 'string' ? sdpMid : null,
    sdpMLineIndex: typeof sdpMLineIndex === 'number' ? sdpMLineIndex : null,
  };
}
