import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from '../rpc/dispatcher.js';
import { Refused } from './refused.js';
import { Streams, type WhipProtocol } from './streams.js';

/** An SDP offer of some 10 kB is the largest request. */
const bodyBytesMax = 200_000;
const unreadBytesMax = 10 * bodyBytesMax;
const sdpType = 'application/sdp';
const fragmentType = 'application/trickle-ice-sdpfrag';

/** What a request addresses: the endpoint of a stream, or with `id` a connection made there. */
interface RequestTarget {
  readonly stream: string;
  readonly way: WhipProtocol;
  readonly id?: string;
}

/** Undefined for the addresses of others. `/{stream}/whip`, `/{stream}/whep`, and what is below them. */
export function whipTarget(path: string): RequestTarget | undefined {
  const [, stream, way, id] = /^\/([\w.~-]{1,128})\/(whip|whep)(?:\/([\w-]{1,64}))?$/.exec(path) ?? [];
  if (stream === undefined || (way !== 'whip' && way !== 'whep')) return undefined;
  return { stream, way, ...(id === undefined ? {} : { id }) };
}

/**
 * WHIP (RFC 9725) and WHEP (draft-ietf-wish-whep) beside the other protocol, with the same endpoints: offers by POST,
 * candidates and restarts of ICE by PATCH, an end by DELETE. All candidates of this server are in its answer.
 */
export class WhipHttp {
  readonly #streams: Streams;
  readonly #server: string;

  constructor(dispatcher: Dispatcher) {
    this.#streams = new Streams(dispatcher);
    this.#server = `loadline-embedded/${dispatcher.context.version ?? ''}`;
  }

  /** Never rejects. */
  async answer(request: IncomingMessage, response: ServerResponse, place: RequestTarget): Promise<void> {
    const always = { server: this.#server, ...forPages(request) };
    try {
      const { status, headers = {}, text = '' } = await this.#answerTo(request, place);
      response.writeHead(status, { ...always, ...headers }).end(text);
    } catch (error) {
      const refused = error instanceof Refused ? error : undefined;
      const text = error instanceof Error ? error.message : String(error);
      const headers = { ...always, 'content-type': 'text/plain; charset=utf-8', ...refused?.headers };
      response.writeHead(refused?.status ?? 500, headers).end(text);
    }
  }

  #answerTo(request: IncomingMessage, place: RequestTarget): Promise<Said> | Said {
    const { id } = place;
    const methods = id === undefined ? ['OPTIONS', 'GET', 'POST'] : ['OPTIONS', 'GET', 'PATCH', 'DELETE'];
    const allow = methods.join(', ');
    if (request.method === 'OPTIONS') return { status: 204, headers: { allow, ...takes } };
    if (!methods.includes(request.method ?? ''))
      throw new Refused(405, `${request.method} is not for this address`, { allow });
    // There is nothing to read of either (RFC 9725, 4.1).
    if (request.method === 'GET' && id === undefined) return { status: 204 };
    if (id === undefined) return this.#open(request, place);
    const connection = this.#streams.find(place.way, place.stream, id);
    if (request.method === 'GET') return { status: 204 };
    if (request.method === 'PATCH') return this.#patch(request, connection);
    return this.#streams.end(connection).then(() => ({ status: 200 }));
  }

  async #open(request: IncomingMessage, { way, stream }: RequestTarget): Promise<Said> {
    assertType(request, sdpType);
    const { id, answer } = await this.#streams.open(way, stream, await bodyOf(request));
    const headers = {
      'content-type': sdpType,
      location: `/${stream}/${way}/${id}`,
      etag: etagOf({ id, restarts: 0 }),
      ...takes,
    };
    return { status: 201, headers, text: answer };
  }

  async #patch(request: IncomingMessage, connection: ReturnType<Streams['find']>): Promise<Said> {
    assertType(request, fragmentType);
    const known = request.headers['if-match'];
    if (known === undefined) throw new Refused(428, 'If-Match is missing');
    if (known !== etagOf(connection) && known !== '*') throw new Refused(412, 'the ETag is another');
    const restarted = await this.#streams.patch(connection, await bodyOf(request));
    if (!restarted) return { status: 204 };
    const headers = { 'content-type': fragmentType, etag: etagOf(restarted.connection) };
    return { status: 200, headers, text: restarted.fragment };
  }

  close(): void {
    this.#streams.close();
  }
}

interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

const takes = { 'accept-post': sdpType, 'accept-patch': fragmentType };

/** Of the session of ICE, which each restart makes another one. */
const etagOf = ({ id, restarts }: { readonly id: string; readonly restarts: number }): string => `"${id}.${restarts}"`;

/** A page that was let in (admission.ts) may read what it needs (Fetch, 3.2). */
function forPages({ headers: { origin } }: IncomingMessage): Readonly<Record<string, string>> {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'OPTIONS, POST, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type, if-match',
    'access-control-expose-headers': 'location, etag, link, retry-after',
  };
}

function assertType({ headers }: IncomingMessage, wanted: string): void {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== wanted) throw new Refused(415, `the body must be ${wanted}`);
}

/** Reads too long a body to its end, so that its sender can read why it is refused; an endless one is cut off. */
function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const tooLong = () => new Refused(413, `more than ${bodyBytesMax} bytes`, { connection: 'close' });
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= bodyBytesMax) parts.push(part);
      else if (bytes > unreadBytesMax) request.destroy();
    });
    request.on('end', () => {
      if (bytes > bodyBytesMax) reject(tooLong());
      else resolve(Buffer.concat(parts).toString('utf8'));
    });
    request.on('close', () => reject(new Refused(400, 'the request was cut off')));
    request.on('error', reject);
  });
}
