import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export interface ScriptedRequest {
  readonly janus: string;
  readonly transaction: string;
  readonly session_id?: number;
  readonly handle_id?: number;
  readonly apisecret?: string;
  readonly body?: Readonly<Record<string, unknown>> & { readonly request: string };
  readonly jsep?: { readonly type: string; readonly sdp: string };
  readonly [field: string]: unknown;
}

/** Frames that answer a request, in their order and without its transaction; none is silence. */
export type Script = (request: ScriptedRequest) => readonly object[] | 'hang-up' | undefined;

export interface ScriptedJanus {
  readonly url: string;
  readonly port: number;
  /** Every request, in order of arrival. */
  readonly requests: ScriptedRequest[];
  /** What `list` lists: number and description. */
  readonly rooms: Map<
    number,
    { readonly description: string; readonly participants: number; readonly bridge?: boolean }
  >;
  /** Handles of AudioBridge; all others are of VideoRoom. */
  readonly bridges: Set<number>;
  readonly sessions: Set<number>;
  /** The first handle that was attached for a leg after the one of the room. */
  handles: number;
  /** Sends a frame as it is. */
  send(frame: object | string): void;
  hangUp(): void;
  close(): Promise<void>;
}

/**
 * A WebSocket server that answers as Janus 1.1.2 does on the wire (Janus API and Admin API), except where the script
 * says otherwise.
 */
export async function scriptedJanus(script: Script = () => undefined): Promise<ScriptedJanus> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const janus: ScriptedJanus = {
    url: `janus://127.0.0.1:${port}`,
    port,
    requests: [],
    rooms: new Map(),
    bridges: new Set(),
    sessions: new Set(),
    handles: 0,
    send: (frame) => {
      for (const client of server.clients) client.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    },
    hangUp: () => {
      for (const client of server.clients) client.terminate();
    },
    close: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  server.on('connection', (client) => {
    client.on('message', (data) => {
      const request = JSON.parse(String(data)) as ScriptedRequest;
      janus.requests.push(request);
      const said = script(request) ?? answers(request, janus);
      if (said === 'hang-up') return client.terminate();
      const { transaction, session_id } = request;
      for (const frame of said) client.send(JSON.stringify({ transaction, session_id, ...frame }));
    });
  });
  return janus;
}

const plugins = { 'janus.plugin.videoroom': {}, 'janus.plugin.audiobridge': {} };

function answers(request: ScriptedRequest, janus: ScriptedJanus): readonly object[] {
  switch (request.janus) {
    case 'info':
      return [{ janus: 'server_info', version_string: '1.1.2', plugins }];
    case 'create': {
      const id = 1000 + janus.requests.length;
      janus.sessions.add(id);
      return [{ janus: 'success', data: { id } }];
    }
    case 'attach':
      janus.handles += 1;
      if (request.plugin === 'janus.plugin.audiobridge') janus.bridges.add(janus.handles);
      return [{ janus: 'success', data: { id: janus.handles } }];
    case 'destroy':
      janus.sessions.delete(request.session_id ?? 0);
      return [{ janus: 'success' }];
    case 'detach':
      return [{ janus: 'success' }];
    case 'list_sessions':
      return [{ janus: 'success', sessions: [...janus.sessions] }];
    case 'message':
      return ofPlugin(request, janus);
    default:
      return [{ janus: 'ack' }];
  }
}

function ofPlugin({ body, handle_id: sender }: ScriptedRequest, janus: ScriptedJanus): readonly object[] {
  const said = (data: object, rest: object = {}) => ({
    sender,
    plugindata: { plugin: 'janus.plugin.videoroom', data },
    ...rest,
  });
  const room = Number(body?.room);
  const bridge = janus.bridges.has(sender ?? 0);
  switch (body?.request) {
    case 'create':
      janus.rooms.set(room, { description: String(body.description), participants: 0, bridge });
      return [{ janus: 'success', ...said({ videoroom: 'created', room }) }];
    case 'destroy':
      janus.rooms.delete(room);
      return [{ janus: 'success', ...said({ videoroom: 'destroyed', room }) }];
    case 'list': {
      const ofThis = [...janus.rooms].filter(([, one]) => (one.bridge ?? false) === bridge);
      const list = ofThis.map(([room, { description, participants: num_participants }]) => ({
        room,
        description,
        num_participants,
      }));
      return [{ janus: 'success', ...said({ videoroom: 'success', list }) }];
    }
    case 'joinandconfigure':
      return later(said({ videoroom: 'joined', id: body.id }, { jsep: { type: 'answer', sdp: 'the answer' } }));
    case 'join':
    case 'subscribe':
      if (bridge) return later(said({ audiobridge: 'joined' }));
      return later(
        said({ videoroom: 'attached', streams: streamsOf(body) }, { jsep: { type: 'offer', sdp: 'an offer' } }),
      );
    case 'configure':
      return later(said({ result: 'ok' }, bridge ? { jsep: { type: 'answer', sdp: 'the answer' } } : {}));
    default:
      return later(said({ videoroom: 'event', started: 'ok' }));
  }
}

/** The event overtakes its own acknowledgement, as the real one's sometimes does. */
const later = (event: object) => [{ janus: 'event', ...event }, { janus: 'ack' }];

/** Sound and picture of each feed, named as the tests name who publishes: feed 1 is that of a, feed 2 that of b. */
function streamsOf(body: Readonly<Record<string, unknown>>): readonly object[] {
  const feeds = (body.streams as readonly { readonly feed: number }[]).map(({ feed }) => feed);
  return feeds.flatMap((feed, index) =>
    [0, 1].map((of) => ({ mid: String(2 * index + of), feed_display: `1${String.fromCharCode(96 + feed)}` })),
  );
}
