import { randomUUID } from 'node:crypto';
import { given } from '../../model/given.js';
import { WebRtcEndpoint } from '../objects/webrtc-endpoint.js';
import type { Dispatcher } from '../rpc/dispatcher.js';
import { Refused } from './refused.js';

export type WhipProtocol = 'whip' | 'whep';

/** One connection of a client, by the address that it got for it. */
interface Connection {
  readonly id: string;
  readonly way: WhipProtocol;
  readonly stream: string;
  readonly iceUfrag: string | undefined;
  readonly endpoint: WebRtcEndpoint;
  readonly madeAtMs: number;
  /** How often ICE was restarted. */
  readonly restarts: number;
}

/** A client that vanished sends no DELETE: what never came up, or was silent for so long, is given up. */
const silentMs = 30_000;
const lookEveryMs = 5000;
/** A viewer may come again so soon. */
const retryAfterS = '1';

/** Streams by name: each is a pipeline with one endpoint that publishes, and one for each viewer. */
export class Streams {
  readonly #dispatcher: Dispatcher;
  readonly #streams = new Map<string, WebRtcEndpoint>();
  readonly #connections = new Map<string, Connection>();
  readonly #looking = setInterval(() => void this.#look(), lookEveryMs).unref();

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  /** Answers an offer with all candidates of this server in the answer. Rejects with Refused. */
  async open(
    way: WhipProtocol,
    stream: string,
    offer: string,
  ): Promise<{ readonly id: string; readonly answer: string }> {
    const endpoint = way === 'whip' ? this.#publisher(stream) : this.#viewer(stream);
    try {
      await this.#dispatcher.context.coldStart.warm();
      await this.#dispatcher.context.answerRate.turn();
      read(endpoint, offer);
      await endpoint.gatherCandidates();
      const answer = endpoint.localDescription();
      // Who publishes and asks for something in return hears itself, as a voice agent would be heard.
      if (way === 'whip' && /^a=sendrecv\r?$/m.test(answer)) endpoint.connect(endpoint, 'AUDIO');
      if (!/^m=(audio|video) [1-9]/m.test(answer)) throw new Refused(422, 'none of the offered codecs is known here');
      if (!this.#isThere(endpoint)) throw new Refused(404, 'the stream has ended');
      const id = randomUUID();
      const iceUfrag = /^a=ice-ufrag:(\S+)/m.exec(offer)?.[1];
      this.#connections.set(id, { id, way, stream, iceUfrag, endpoint, madeAtMs: this.#nowMs(), restarts: 0 });
      return { id, answer };
    } catch (error) {
      await this.#release(way, stream, endpoint);
      throw error;
    }
  }

  #publisher(stream: string): WebRtcEndpoint {
    const known = this.#streams.get(stream);
    if (known !== undefined && this.#isThere(known)) throw new Refused(409, 'the stream is published already');
    const pipeline = this.#create('MediaPipeline', {});
    const endpoint = this.#endpointIn(pipeline.id);
    this.#streams.set(stream, endpoint);
    return endpoint;
  }

  #viewer(stream: string): WebRtcEndpoint {
    const publisher = this.#streams.get(stream);
    if (publisher === undefined || !this.#isThere(publisher)) {
      throw new Refused(404, 'nobody publishes the stream', { 'retry-after': retryAfterS });
    }
    const endpoint = this.#endpointIn(publisher.pipeline().id);
    for (const type of ['AUDIO', 'VIDEO'] as const) publisher.connect(endpoint, type);
    return endpoint;
  }

  #endpointIn(mediaPipeline: string): WebRtcEndpoint {
    const made = this.#create('WebRtcEndpoint', { mediaPipeline });
    if (made instanceof WebRtcEndpoint) return made;
    throw new Error('a WebRtcEndpoint is none');
  }

  #create(type: string, parameters: Readonly<Record<string, unknown>>) {
    try {
      return this.#dispatcher.create(type, parameters);
    } catch (error) {
      throw new Refused(503, error instanceof Error ? error.message : String(error));
    }
  }

  /** A client of another protocol may have released it. */
  #isThere({ id }: WebRtcEndpoint): boolean {
    return this.#dispatcher.objects.has(id);
  }

  /** What is at this address. Throws Refused. */
  find(way: WhipProtocol, stream: string, id: string): Connection {
    const found = this.#connections.get(id);
    if (found === undefined || found.way !== way || found.stream !== stream || !this.#isThere(found.endpoint)) {
      throw new Refused(404, 'there is no such session');
    }
    return found;
  }

  /**
   * Takes candidates of the client, and with other credentials than before a restart of ICE: then what it is from then
   * on, and this server's own fragment. Rejects with Refused.
   */
  async patch(
    connection: Connection,
    text: string,
  ): Promise<{ readonly connection: Connection; readonly fragment: string } | undefined> {
    const { endpoint } = connection;
    const { candidates, iceUfrag, icePwd } = readFragment(text) ?? {};
    if (candidates === undefined) throw new Refused(400, 'this is no fragment of SDP');
    const restarts = iceUfrag !== undefined && iceUfrag !== connection.iceUfrag;
    if (restarts && icePwd === undefined) throw new Refused(400, 'an ICE restart without a=ice-pwd');
    const answer = restarts && icePwd !== undefined ? await endpoint.restartIce({ iceUfrag, icePwd }) : undefined;
    for (const line of candidates) endpoint.addIceCandidate(line);
    if (answer === undefined) return undefined;
    const anew = { ...connection, iceUfrag, restarts: connection.restarts + 1 };
    this.#connections.set(anew.id, anew);
    return { connection: anew, fragment: writeFragment(answer) };
  }

  async end({ id, way, stream, endpoint }: Connection): Promise<void> {
    this.#connections.delete(id);
    await this.#release(way, stream, endpoint);
  }

  /** With its publisher a stream ends for everybody. */
  async #release(way: WhipProtocol, stream: string, endpoint: WebRtcEndpoint): Promise<void> {
    if (way === 'whip' && this.#streams.get(stream) === endpoint) this.#streams.delete(stream);
    await this.#dispatcher.objects.release(way === 'whip' ? endpoint.pipeline().id : endpoint.id);
  }

  #nowMs(): number {
    return this.#dispatcher.context.clock.nowMs();
  }

  async #look(): Promise<void> {
    for (const connection of [...this.#connections.values()]) {
      if (!this.#isThere(connection.endpoint)) this.#connections.delete(connection.id);
      else if (this.#nowMs() - lastSignMs(connection) > silentMs) await this.end(connection);
    }
  }

  close(): void {
    clearInterval(this.#looking);
  }
}

function read(endpoint: WebRtcEndpoint, offer: string): void {
  try {
    endpoint.processOffer(offer);
  } catch (error) {
    throw new Refused(400, error instanceof Error ? error.message : String(error));
  }
}

/** Of a viewer that is up nothing is asked: it is there as long as the stream is. */
function lastSignMs({ way, endpoint, madeAtMs }: Connection): number {
  if (endpoint.connectionState !== 'CONNECTED') return madeAtMs;
  if (way === 'whep') return Number.POSITIVE_INFINITY;
  const packets = [endpoint.media.track('audio'), endpoint.media.track('video')].map(
    ({ lastPacketAtMs }) => lastPacketAtMs,
  );
  return Math.max(madeAtMs, ...packets.map((atMs) => atMs ?? 0));
}

/** What a PATCH brings: candidates, and the ICE credentials that they are for (RFC 8840; RFC 9725, 4.4). */
interface Fragment {
  /** As `candidate:…` lines. */
  readonly candidates: readonly string[];
  /** Absent where it names none. */
  readonly iceUfrag?: string;
  readonly icePwd?: string;
}

/** Undefined when it is none. */
export function readFragment(text: string): Fragment | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines.length === 0 || !lines.every((line) => /^[am]=/.test(line))) return undefined;
  const values = (name: string) => lines.flatMap((line) => (line.startsWith(`a=${name}`) ? [line.slice(2)] : []));
  const firstOf = (name: string) => values(name)[0]?.slice(name.length);
  const credentials = { iceUfrag: firstOf('ice-ufrag:'), icePwd: firstOf('ice-pwd:') };
  return { candidates: values('candidate:'), ...given(credentials) };
}

/** What an answer says of ICE: the session's part, and that of its first section that is there (RFC 8840, 9). */
function writeFragment(answer: string): string {
  const [session = '', ...sections] = answer.split(/\r?\n(?=m=)/);
  const section = sections.find((one) => !/^m=\S+ 0 /.test(one)) ?? '';
  const lines = `${session}\r\n${section}`.split(/\r?\n/);
  const kept = lines.filter((line) => /^(m=|a=(group|mid|ice-[a-z]+|candidate):|a=ice-lite)/.test(line));
  return `${[...kept, 'a=end-of-candidates'].join('\r\n')}\r\n`;
}
