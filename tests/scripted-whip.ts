import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Asked before the usual answers; `undefined` leaves a request to them. */
export type WhipScript = (request: SeenRequest) => Said | 'silence' | undefined;

export interface ScriptedWhip {
  readonly whip: string;
  readonly whep: string;
  /** Every request, in order of arrival, but those that ask what is there. */
  readonly requests: SeenRequest[];
  /** Addresses of what was opened and has not been ended. */
  readonly open: Set<string>;
  /** Such as `POST /a/whip`. */
  seen(): readonly string[];
  close(): Promise<void>;
}

/** Enough of an answer to be one. */
export const anAnswer =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\n';

/** A server of WHIP and WHEP that has no media and does what a script says. */
export async function scriptedWhip(script: WhipScript = () => undefined): Promise<ScriptedWhip> {
  const requests: SeenRequest[] = [];
  const open = new Set<string>();
  const http = createServer((request, response) => {
    void read(request).then((seen) => {
      if (seen.method !== 'OPTIONS') requests.push(seen);
      const said = script(seen) ?? usual(seen, open);
      if (said !== 'silence') say(response, said);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/{stream}`;
  return {
    whip: `${base}/whip`,
    whep: `${base}/whep`,
    requests,
    open,
    seen: () => requests.map(({ method, path }) => `${method} ${path}`),
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? '', path: request.url ?? '', headers, body: await textOf(request) };
}

function usual({ method, path }: SeenRequest, open: Set<string>): Said {
  if (method === 'OPTIONS')
    return { status: 204, headers: { 'accept-post': 'application/sdp', server: 'scripted/1.0' } };
  if (method === 'POST') {
    const location = `/sessions/${open.size + 1}${path}`;
    open.add(location);
    return { status: 201, headers: { 'content-type': 'application/sdp', location, etag: '"one"' }, text: anAnswer };
  }
  if (!open.has(path)) return { status: 404, text: 'no such session' };
  if (method === 'DELETE') open.delete(path);
  return { status: method === 'DELETE' ? 200 : 204 };
}

function say(response: ServerResponse, { status, headers = {}, text = '' }: Said): void {
  response.writeHead(status, headers).end(text);
}
