import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { startEmbeddedServer } from '../../embedded-server/server.js';

interface FrontAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

interface FrontRequest {
  readonly method: string;
  readonly path: string;
  /** What the server behind says to it. */
  readonly forward: () => Promise<FrontAnswer>;
}

export interface WhipFront {
  /** Words of the command line that name it. */
  readonly args: readonly string[];
  /** How many endpoints the server behind holds. */
  endpoints(): Promise<number>;
  close(): Promise<void>;
}

const passedOn = ['authorization', 'content-type', 'accept', 'if-match'];
const passedBack = [
  'location',
  'etag',
  'content-type',
  'accept-post',
  'accept-patch',
  'retry-after',
  'server',
  'allow',
];

/**
 * An HTTP server before a real embedded server, with what it makes of the answers: media is real, and signalling is at
 * fault.
 */
export async function whipFront(
  answer: (request: FrontRequest) => Promise<FrontAnswer> | FrontAnswer,
  token?: string,
): Promise<WhipFront> {
  const far = await startEmbeddedServer({ port: 0, ...(token === undefined ? {} : { token }) });
  const behind = `http://127.0.0.1:${far.port}`;
  const http = createServer(async (request, response) => {
    const body = await textOf(request);
    const { method = '', url: path = '' } = request;
    const { status, headers, text } = await answer({
      method,
      path,
      forward: () => forwarded(`${behind}${path}`, method, headersOf(request), body),
    });
    response.writeHead(status, headers).end(text);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const at = (way: string) => `http://127.0.0.1:${(http.address() as AddressInfo).port}/{stream}/${way}`;
  return {
    args: ['--server', 'whip', '--whip', at('whip'), '--whep', at('whep')],
    endpoints: async () => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`${behind}/loadline/resources`, { headers });
      return ((await response.json()) as { readonly endpoints: number }).endpoints;
    },
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
      await far.close();
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(passedOn.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

async function forwarded(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string,
): Promise<FrontAnswer> {
  const response = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
  const back = passedBack.flatMap((name): [string, string][] => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: response.status, headers: Object.fromEntries(back), text: await response.text() };
}
