import { LoadlineError } from '../../model/errors.js';
import { type Ask, askAt } from '../../model/layer.js';
import {
  type Leg,
  layerAsked,
  receivedData,
  receivedStreams,
  type Session,
  streamsAmongSeveral,
} from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { Negotiated, NegotiationRequest } from '../../model/signalling.js';
import type { LayerRequest, ServerSession } from '../media-server.js';
import type { RecordingShelf } from '../recordings/recording-shelf.js';
import { notNow } from '../session-owner.js';
import { candidateOf, endpointEvents, kurentoCandidate, translated } from './endpoint-events.js';
import type { KurentoCalls } from './kurento-calls.js';
import { SessionRecorder } from './session-recorder.js';
import { type Relation, Wiring } from './wiring-plan.js';

interface SessionOptions {
  readonly session: Session;
  readonly calls: KurentoCalls;
  /** Value of the tag `loadline` of the pipeline. */
  readonly tag: string;
  /** Cap that Kurento asks senders and offers receivers, kbit/s; left out: Kurento's own, 500. */
  readonly maxVideoKbps?: number | undefined;
  /** Where what participants send is recorded; left out: nothing is. */
  readonly shelf?: RecordingShelf | undefined;
  readonly onEvent: (event: ServerEvent) => void;
  /** Called as soon as it exists: from then on it must be released. */
  readonly onCreated: (pipeline: string) => void;
  readonly onClosed: (pipeline: string) => void;
}

/**
 * One session on a Kurento: a pipeline, an endpoint for each leg, and for a mix a Composite with a port for each leg.
 * In a room of sound alone only sound is connected: a Composite gives each port the voices of all others.
 */
export class KurentoSession implements ServerSession {
  readonly #recorder: SessionRecorder | undefined;
  readonly #wiring = new Wiring();
  /** What a leg has on the server, in the order in which it was made. */
  readonly #made = new Map<string, readonly string[]>();
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly options: SessionOptions,
    readonly pipeline: string,
    private readonly composite: string | undefined,
  ) {
    const { calls, shelf, onEvent } = options;
    this.#recorder = shelf && new SessionRecorder({ calls, pipeline, shelf, onEvent });
  }

  /** Creates and tags the pipeline. When that fails half-way, nothing is left behind. */
  static async open(options: SessionOptions, signal: AbortSignal): Promise<KurentoSession> {
    const { calls, session } = options;
    assertOneOfAKind(session);
    // Waited for even after an abort: only an id that is known can be released.
    const pipeline = await calls.create('MediaPipeline', {});
    options.onCreated(pipeline);
    try {
      signal.throwIfAborted();
      const failing = { of: 'session', session: session.id } as const;
      calls.listen(pipeline, (event) => options.onEvent(translated(event, failing, Date.now())));
      await calls.invoke(pipeline, 'addTag', { key: 'loadline', value: options.tag }, signal);
      await calls.subscribe(pipeline, 'Error', signal);
      const composite =
        session.shape === 'forward' || session.shape === 'answer'
          ? undefined
          : await calls.create('Composite', { mediaPipeline: pipeline }, signal);
      return new KurentoSession(options, pipeline, composite);
    } catch (error) {
      await calls.release(pipeline).catch(() => undefined);
      throw error;
    }
  }

  async join(request: NegotiationRequest): Promise<Negotiated> {
    const { calls } = this.options;
    const { leg, signal } = request;
    if (this.#closed !== undefined || this.#wiring.has(leg.id)) throw notNow(leg);
    const made: string[] = [];
    try {
      const data = leg.data !== undefined || receivedData(leg).length > 0 ? { useDataChannels: true } : {};
      const parts = { mediaPipeline: this.pipeline, ...data };
      const endpoint = await this.#make(made, request, 'WebRtcEndpoint', parts);
      await this.#listen(endpoint, request);
      await this.#setBandwidths(endpoint, leg, signal);
      await this.#askLayer(endpoint, leg, signal);
      const answer = await calls.invoke(endpoint, 'processOffer', { offer: request.offer }, signal);
      this.#made.set(leg.id, made);
      const relations = this.#wiring.join({ leg, participant: request.participant.id, endpoint });
      await (this.composite === undefined
        ? Promise.all(relations.map((relation) => this.#connect(relation, signal)))
        : this.#mix(endpoint, request, made));
      await this.#recorder?.attach(endpoint, request.participant.id, leg, signal);
      await calls.invoke(endpoint, 'gatherCandidates', {}, signal);
      // Nobody would forget its listeners any more.
      if (this.#closed !== undefined) throw notNow(leg);
      return {
        answer,
        addCandidate: async (candidate) => {
          await calls.invoke(endpoint, 'addIceCandidate', { candidate: kurentoCandidate(candidate) }, signal);
        },
      };
    } catch (error) {
      this.#wiring.leave(leg.id);
      this.#made.delete(leg.id);
      await Promise.all(made.map((object) => calls.release(object).catch(() => undefined)));
      throw error;
    }
  }

  /** Not given up on abort: what is being created must be known to be released. */
  async #make(made: string[], { leg, signal }: NegotiationRequest, type: string, parameters: object): Promise<string> {
    const object = await this.options.calls.create(type, { ...parameters });
    made.push(object);
    signal.throwIfAborted();
    if (this.#closed !== undefined) throw notNow(leg);
    return object;
  }

  /** Before the offer: candidates may come before the answer does. */
  async #listen(endpoint: string, request: NegotiationRequest): Promise<void> {
    const { calls, onEvent } = this.options;
    const { id } = request.leg;
    calls.listen(endpoint, (event) => {
      const candidate = event.type === 'IceCandidateFound' ? candidateOf(event) : undefined;
      if (candidate !== undefined) return request.onCandidate(candidate);
      const said = translated(event, { of: 'leg', leg: id }, Date.now());
      this.#recorder?.onServerEvent(said);
      onEvent(said);
    });
    await Promise.all(endpointEvents.map((type) => calls.subscribe(endpoint, type, request.signal)));
  }

  async #setBandwidths(endpoint: string, leg: Leg, signal: AbortSignal): Promise<void> {
    const kbps = this.options.maxVideoKbps;
    if (kbps === undefined || ![...leg.sends, ...leg.receives].includes('video')) return;
    const set = (way: 'Recv' | 'Send'): Promise<unknown> => {
      const value = { [`maxVideo${way}Bandwidth`]: kbps };
      return this.options.calls.invoke(endpoint, `setMaxVideo${way}Bandwidth`, value, signal);
    };
    await Promise.all([set('Recv'), set('Send')]);
  }

  /** Only the embedded server takes layers, and knows this. */
  async #askLayer(endpoint: string, leg: Leg, signal: AbortSignal): Promise<void> {
    const [asked] = receivedStreams(leg).flatMap((stream) => layerAsked(stream) ?? []);
    if (asked) await this.#setLayer(endpoint, askAt(asked, 0), signal);
  }

  async #setLayer(endpoint: string, layer: Ask, signal: AbortSignal): Promise<void> {
    await this.options.calls.invoke(endpoint, 'setVideoLayer', { layer }, signal);
  }

  async ask({ leg, ask }: LayerRequest): Promise<void> {
    const endpoint = this.#wiring.endpointOf(leg.id);
    if (endpoint !== undefined) await this.#setLayer(endpoint, ask, new AbortController().signal);
  }

  async #mix(endpoint: string, request: NegotiationRequest, made: string[]): Promise<void> {
    const { leg, signal } = request;
    const port = await this.#make(made, request, 'HubPort', { hub: this.composite });
    await Promise.all([
      ...leg.sends.map((kind) => this.#connect({ from: endpoint, to: port, kind }, signal)),
      ...leg.receives.map((kind) => this.#connect({ from: port, to: endpoint, kind }, signal)),
    ]);
  }

  async #connect({ from, to: sink, kind }: Relation, signal: AbortSignal): Promise<void> {
    await this.options.calls.invoke(from, 'connect', { sink, mediaType: kind.toUpperCase() }, signal);
  }

  async leave(legs: readonly string[]): Promise<void> {
    const { calls } = this.options;
    const made = legs.flatMap((leg) => this.#made.get(leg) ?? []);
    for (const leg of legs) {
      const left = this.#wiring.leave(leg);
      if (left) calls.forget(left.endpoint);
      this.#made.delete(leg);
    }
    await Promise.all(made.map((object) => calls.release(object)));
  }

  /** Ends what is being recorded. Idempotent, never rejects. */
  async stopRecording(): Promise<void> {
    await this.#recorder?.stop();
  }

  /** Releases the pipeline with all that is in it. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { calls, onClosed } = this.options;
    await this.stopRecording();
    calls.forget(this.pipeline);
    for (const { endpoint } of this.#wiring.all()) calls.forget(endpoint);
    await calls.release(this.pipeline);
    onClosed(this.pipeline);
  }
}

/** An endpoint has one source of each kind: a second one that is connected to it takes the place of the first. */
function assertOneOfAKind({ id, participants }: Session): void {
  const leg = participants.flatMap(({ legs }) => legs).find((one) => streamsAmongSeveral(one).length > 0);
  if (leg === undefined) return;
  const what = `Session ${id} cannot be opened: leg ${leg.id} receives several streams.`;
  throw new LoadlineError('E_SERVER_REFUSED', what, {
    where: leg.id,
    why: 'an endpoint of this server carries one stream of a kind',
    todo: 'give each source a leg of its own',
  });
}
