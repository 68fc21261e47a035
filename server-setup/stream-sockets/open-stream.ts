import { once } from '../../host/once.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { Ending } from '../ended-streams.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import type { OpenedStream } from '../streams-session.js';
import { MessageSocket } from './message-socket.js';
import type { StreamDoor, Talk, TalkOrder } from './stream-door.js';

export interface Doorway {
  readonly door: StreamDoor;
  /** For opening a connection, and for each answer. */
  readonly timeoutMs: number;
  readonly traffic: TrafficCount;
  readonly onEvent: (event: ServerEvent) => void;
}

export interface OpenStream extends OpenedStream {
  readonly way: TalkOrder['way'];
  readonly talk: Talk;
  /** As of its talk, once. */
  readonly begin: Talk['begin'];
}

/** A connection for a stream, before its first word. Rejects as `openSocket` does. */
export async function openStream(
  { door, timeoutMs, traffic, onEvent }: Doorway,
  order: TalkOrder,
  onLost: (how: string) => void,
): Promise<OpenStream> {
  const { way, stream, signal } = order;
  const onStray = (detail: string) => onEvent({ kind: 'other', atMs: Date.now(), name: 'unreadable', detail });
  const place = { url: door.urlOf(way, stream), expected: door.expected, timeoutMs, traffic };
  const socket = await MessageSocket.open(place, { onEnd: onLost, onStray }, signal);
  const talk = door.talk(socket, order);
  const begin = once(() => talk.begin());
  const end = once(async (): Promise<Ending> => {
    const ending = socket.isOpen ? await talk.end() : { unconfirmed: 'its signalling connection had ended before' };
    await socket.close();
    return ending;
  });
  return { stream, way, talk, begin, end };
}
