import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ScriptedRequest {
  readonly id: number | string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a scripted reply can be: a value, an error, silence, or the end of the connection. */
type Reply =
  | { readonly value: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly type?: string } }
  | 'silence'
  | 'hang-up';

/** Asked before the default answers; `undefined` leaves the request to them. `say` sends an event at once. */
export type Script = (
  request: ScriptedRequest,
  say: (object: string, type: string, data: Record<string, unknown>) => void,
) => Reply | undefined;

export interface ScriptedKurento {
  readonly url: string;
  readonly port: number;
  /** Every request, in order of arrival. */
  readonly requests: ScriptedRequest[];
  /** Ids that getPipelines lists. */
  readonly pipelines: Set<string>;
  readonly frames: string[];
  say(object: string, type: string, data: Record<string, unknown>): void;
  /** Sends a frame as it is. */
  send(frame: object): void;
  /** The same with text that need be no JSON. */
  sendText(text: string): void;
  hangUp(): void;
  close(): Promise<void>;
}

const sessionId = '93f2cf13-84a9-441f-9b57-32831559a17d';
const moduleInfo = (name: string) => ({
  __module__: 'kurento',
  __type__: 'ModuleInfo',
  factories: name === 'elements' ? ['Composite', 'WebRtcEndpoint'] : [],
  name,
});
const info = {
  __module__: 'kurento',
  __type__: 'ServerInfo',
  capabilities: ['transactions'],
  modules: ['core', 'elements', 'filters'].map(moduleInfo),
  type: 'KMS',
  version: '7.3.0',
};

/** A WebSocket server that answers as a Kurento 7.3 does on the wire, except where the script says otherwise. */
export async function scriptedKurento(script: Script = () => undefined, port = 0): Promise<ScriptedKurento> {
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const state = { requests: [] as ScriptedRequest[], frames: [] as string[], pipelines: new Set<string>() };
  const say = (object: string, type: string, data: Record<string, unknown>): void => {
    const value = { object, type, data: { source: object, tags: [], timestampMillis: '1795247148747', type, ...data } };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'onEvent', params: { value } });
    for (const client of server.clients) client.send(text);
  };
  server.on('connection', (client) => {
    client.on('message', (data) => {
      const text = String(data);
      state.frames.push(text);
      const parsed = JSON.parse(text) as ScriptedRequest;
      const request = { ...parsed, params: parsed.params ?? {} };
      state.requests.push(request);
      reply(client, request, script(request, say) ?? answer(request, state.pipelines));
    });
  });
  const address = server.address() as AddressInfo;
  return {
    ...state,
    url: `ws://127.0.0.1:${address.port}/kurento`,
    port: address.port,
    say,
    send: (frame) => {
      for (const client of server.clients) client.send(JSON.stringify(frame));
    },
    sendText: (text) => {
      for (const client of server.clients) client.send(text);
    },
    hangUp: () => {
      for (const client of server.clients) client.terminate();
    },
    close: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function reply(client: WebSocket, request: ScriptedRequest, said: Reply): void {
  if (said === 'silence') return;
  if (said === 'hang-up') client.terminate();
  else if ('error' in said) {
    const { code, message, type } = said.error;
    const error = { code, ...(type === undefined ? {} : { data: { type } }), message };
    client.send(JSON.stringify({ error, id: request.id, jsonrpc: '2.0' }));
  } else {
    const extra = request.method === 'describe' ? (said.value as object) : { value: said.value };
    client.send(JSON.stringify({ id: request.id, jsonrpc: '2.0', result: { sessionId, ...extra } }));
  }
}

function answer({ id, method, params }: ScriptedRequest, pipelines: Set<string>): Reply {
  const object = String(params.object ?? '');
  if (method === 'ping') return { value: 'pong' };
  if (method === 'describe') {
    return {
      value: { hierarchy: ['kurento.MediaObject'], qualifiedType: 'kurento.ServerManager', type: 'ServerManager' },
    };
  }
  if (method === 'create') {
    const parent = (params.constructorParams ?? {}) as { mediaPipeline?: string; hub?: string };
    const owner = parent.mediaPipeline ?? parent.hub;
    const created = `${owner === undefined ? '' : `${owner}/`}${id}_kurento.${String(params.type)}`;
    if (params.type === 'MediaPipeline') pipelines.add(created);
    return { value: created };
  }
  if (method === 'release') pipelines.delete(object);
  if (method === 'subscribe') return { value: `subscription-${id}` };
  if (method !== 'invoke') return { value: null };
  return { value: invoked(String(params.operation), pipelines) };
}

function invoked(operation: string, pipelines: ReadonlySet<string>): unknown {
  if (operation === 'getInfo') return info;
  if (operation === 'getMetadata') return '';
  if (operation === 'getPipelines') return [...pipelines];
  if (operation === 'getTag') return '';
  if (operation === 'processOffer') return 'v=0\r\ns=Kurento Media Server\r\n';
  if (operation === 'getUsedCpu') return 4;
  return operation === 'getUsedMemory' ? 404_232 : null;
}
