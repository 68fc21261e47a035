import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import type { ServerFacts } from '../../model/run.js';
import { type Leg, sourcesOf } from '../../model/scenario.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import type {
  CandidateTiming,
  IceCandidate,
  IceServer,
  Negotiated,
  NegotiationRequest,
  ProbeOffers,
  ServerOffers,
} from '../../model/signalling.js';
import type { MediaServer, ServerSession, SessionLegRequest } from '../../server-setup/media-server.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { Echo } from './echo.js';

const settings = z.object({ rooms: z.number().int().positive().optional() });

const abilities: ServerAbilities = {
  shapes: ['forward'],
  severalStreams: true,
  records: false,
  tellsResources: false,
  reset: 'not-provable',
  turn: false,
  codecs: { forwards: ['VP8'], mixes: [], records: [] },
};

/** A kind of media server that exists in tests alone: it makes every offer itself, and echoes. */
export const toyKind: ServerKind = {
  name: 'toy',
  inWords: 'the toy',
  nature: 'product',
  place: {
    by: 'address',
    schemes: ['toy'],
    form: 'toy://HOST',
    example: 'toy://10.0.0.5',
    hostOf: (url) => new URL(url).hostname,
  },
  options: [
    {
      flags: [{ flag: '--toy-rooms <n>', help: 'how many rooms the toy has', shape: z.number() }],
      read: ({ toyRooms }) => (toyRooms === undefined ? {} : { rooms: Number(toyRooms) }),
      refusal: (_, address) => ({ text: '--toy-rooms is for the toy only.', why: `${address} is none` }),
    },
  ],
  abilities,
  settings,
  programs: [{ file: 'toy-box', name: 'a toy box', neededFor: 'putting the toy away', install: 'buy one' }],
  planned: (server) => `${server.url} with ${settings.parse(server).rooms ?? 'any number of'} rooms`,
  make: async ({ server }) => toyServer(server.url ?? '', () => false),
};

/** How a toy negotiates a leg. */
export interface ToyWays {
  /** Who makes the first offer; absent: the toy. */
  readonly offeredBy?: 'server' | 'probe';
  readonly candidates?: CandidateTiming;
  /** Named with the answer to a probe's offer. */
  readonly iceServers?: readonly IceServer[];
  /** The streams of its first offer; absent: all that the leg receives. */
  readonly first?: readonly string[];
  /** A leg waits until its sources send. */
  readonly waits?: boolean;
  /** Told of each leg, with what makes it offer these streams anew. */
  readonly onLeg?: (leg: string, again: (streams: readonly string[]) => Promise<void>) => void;
  /** Told of each description and each candidate of a probe. */
  readonly onHeard?: (what: 'description' | 'candidate', text: string) => void;
}

/** @param isStarved the streams to which it sends nothing now. */
export function toyServer(url: string, isStarved: (stream: string) => boolean, ways: ToyWays = {}): MediaServer {
  const facts: ServerFacts = {
    kind: 'toy',
    nature: 'product',
    name: 'toy 1.2',
    version: '1.2',
    url,
    sameHost: true,
    abilities,
  };
  return {
    start: async () => facts,
    openSession: async () => new ToySession(isStarved, ways),
    reset: async () => ({ how: 'not-provable', tookMs: 0 }),
    stop: async () => undefined,
    onEvent: () => undefined,
  };
}

class ToySession implements ServerSession {
  private readonly echoes = new Map<string, Echo>();

  constructor(
    private readonly isStarved: (stream: string) => boolean,
    private readonly ways: ToyWays,
  ) {}

  async begin({ leg, renegotiate, sourcesThere }: SessionLegRequest): Promise<ProbeOffers | ServerOffers> {
    const { offeredBy, candidates = 'trickled', waits, onLeg, onHeard } = this.ways;
    const echo = new Echo(this.isStarved);
    this.echoes.set(leg.id, echo);
    onLeg?.(leg.id, async (streams) => echo.takeAnswer(await renegotiate(await echo.offer(streams))));
    if (waits) await sourcesThere();
    if (offeredBy === 'probe') return { by: 'probe', candidates };
    if (candidates === 'after-the-answer') throw new Error('the toy knows its ICE servers before it offers');
    return {
      by: 'server',
      candidates,
      ...(await echo.offer(this.firstOf(leg))),
      answer: (sdp) => {
        onHeard?.('description', sdp);
        return echo.takeAnswer(sdp);
      },
      addCandidate: (candidate) => this.hear(echo, candidate),
    };
  }

  async join({ leg, offer }: NegotiationRequest): Promise<Negotiated> {
    const echo = this.echoes.get(leg.id);
    if (!echo || this.ways.offeredBy !== 'probe') {
      throw new LoadlineError('E_SERVER_REFUSED', 'The toy makes the offer itself.');
    }
    this.ways.onHeard?.('description', offer);
    const { iceServers } = this.ways;
    return {
      answer: await echo.answerTo(offer, this.firstOf(leg)),
      ...(iceServers ? { iceServers } : {}),
      addCandidate: (candidate) => this.hear(echo, candidate),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.echoes.values()].map((one) => one.close()));
  }

  private firstOf(leg: Leg): readonly string[] {
    return this.ways.first ?? sourcesOf(leg).flatMap((source) => ('mix' in source ? [] : source.participant));
  }

  private async hear(echo: Echo, candidate: IceCandidate): Promise<void> {
    this.ways.onHeard?.('candidate', candidate.candidate);
    await echo.addCandidate(candidate);
  }
}
