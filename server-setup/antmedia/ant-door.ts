import type { Environment } from '../../model/environment.js';
import { LoadlineError, withWhy } from '../../model/errors.js';
import type { IceCandidate, Negotiated, ProbeOffers, ServerOffers } from '../../model/signalling.js';
import type { Ending } from '../ended-streams.js';
import type { Expected } from '../sockets/open-socket.js';
import type { Message, MessageSocket } from '../stream-sockets/message-socket.js';
import type { StreamDoor, Talk, TalkOrder } from '../stream-sockets/stream-door.js';
import { isFinished, readCandidate, readDescription, refusalIn, tokenName } from './ant-words.js';

/** As its own client does, so that nothing between the two takes the connection for idle. */
const pingEveryMs = 3000;

const expectedAt = (url: string): Expected => ({
  inWords: 'an Ant Media Server',
  named: '--server antmedia://host:5080/application',
  todo: 'give the port of its HTTP, and an application that it has',
  refused: (status) =>
    status === 404
      ? new LoadlineError('E_SERVER_REFUSED', 'There is no such application, or no Ant Media Server.', {
          where: url,
          why: 'it answered HTTP 404 where a WebSocket was asked for',
          todo: 'name an application that it has, such as live or WebRTCAppEE: --server antmedia://host:5080/live',
        })
      : undefined,
});

/** @param application "ws://host:5080/live" */
export function antDoor(application: string, env: Environment): StreamDoor {
  const url = `${application}/websocket`;
  const token = env[tokenName];
  const shown = token === undefined || token === '' ? {} : { token };
  return {
    expected: expectedAt(url),
    urlOf: () => url,
    talk: (socket, order) => new AntTalk(socket, order, { url, shown }),
  };
}

interface AntPlace {
  readonly url: string;
  readonly shown: Readonly<Record<string, string>>;
}

/** Who publishes makes the offer; the server offers to who plays. */
class AntTalk implements Talk {
  readonly #pings: NodeJS.Timeout;
  /** What is said against the stream is then its answer. */
  #isAsking = false;
  #state: 'new' | 'asked' | 'begun' | 'finished' = 'new';

  constructor(
    private readonly socket: MessageSocket,
    private readonly order: TalkOrder,
    private readonly place: AntPlace,
  ) {
    this.#pings = setInterval(() => socket.say({ command: 'ping' }), pingEveryMs).unref();
    socket.hear((message) => this.#hear(message));
  }

  prove(): Promise<unknown> {
    return this.socket.ask({ command: 'ping' }, ({ command }) => (command === 'pong' ? true : undefined));
  }

  async begin(): Promise<ProbeOffers | ServerOffers> {
    const { way, stream, kinds } = this.order;
    this.#state = 'asked';
    const begun =
      way === 'publish'
        ? await this.#publish({ video: kinds.includes('video'), audio: kinds.includes('audio') })
        : await this.#play((message) => readDescription(message, stream, 'offer'));
    this.#state = 'begun';
    return begun;
  }

  async #publish(media: Message): Promise<ProbeOffers> {
    await this.#ask({ command: 'publish', ...media, ...this.place.shown }, ({ command }) =>
      command === 'start' ? true : undefined,
    );
    return { by: 'probe', candidates: 'trickled' };
  }

  async #play(pick: (message: Message) => string | undefined): Promise<ServerOffers> {
    return {
      by: 'server',
      offer: await this.#ask({ command: 'play', ...this.place.shown }, pick),
      candidates: 'trickled',
      answer: async (sdp) => this.#say({ command: 'takeConfiguration', type: 'answer', sdp }),
      addCandidate: this.#addCandidate,
    };
  }

  async take(sdp: string): Promise<Negotiated> {
    const { stream } = this.order;
    const answer = await this.#ask({ command: 'takeConfiguration', type: 'offer', sdp }, (message) =>
      readDescription(message, stream, 'answer'),
    );
    return { answer, addCandidate: this.#addCandidate };
  }

  readonly #addCandidate = async ({ candidate, sdpMid, sdpMLineIndex }: IceCandidate): Promise<void> =>
    this.#say({ command: 'takeCandidate', label: sdpMLineIndex ?? 0, id: sdpMid ?? '0', candidate });

  #say(message: Message): void {
    this.socket.say({ streamId: this.order.stream, ...message });
  }

  #ask<T>(message: Message, pick: (answer: Message) => T | undefined): Promise<T> {
    const { way, stream, signal } = this.order;
    const asked = { streamId: stream, ...message };
    const look = (answer: Message): T | undefined => {
      const refusal = refusalIn(answer, way, this.place.url);
      if (refusal) throw refusal;
      return pick(answer);
    };
    this.#isAsking = true;
    return this.socket.ask(asked, look, signal).finally(() => {
      this.#isAsking = false;
    });
  }

  #hear(message: Message): void {
    const { way, stream, onCandidate, onComplaint } = this.order;
    const candidate = readCandidate(message, stream);
    if (candidate) onCandidate(candidate);
    if (isFinished(message, stream)) this.#state = 'finished';
    const refusal = this.#isAsking ? undefined : refusalIn(message, way, this.place.url);
    if (refusal) onComplaint(withWhy(refusal));
  }

  async end(): Promise<Ending> {
    clearInterval(this.#pings);
    const { stream } = this.order;
    if (this.#state === 'finished' || this.#state === 'new') return 'asked';
    if (this.#state === 'asked') {
      this.#say({ command: 'stop' });
      return 'asked';
    }
    return this.socket
      .ask({ command: 'stop', streamId: stream }, (message) => (isFinished(message, stream) ? true : undefined))
      .then(
        () => 'asked' as const,
        () => ({ byClosing: 'it does not say that a stream has ended' }),
      );
  }
}
