import type { Ask } from '../../model/layer.js';
import type { Leg } from '../../model/scenario.js';
import type { ServerOffer } from '../../model/signalling.js';
import type { Member } from './member.js';
import { type OfferedStream, streamsIn } from './offered-tracks.js';
import { layersAskedBy, settingsOf } from './track-settings.js';

/** The server may tell who has come or left after the offer. */
const wordMs = 1000;

/** Which section of what the server says of a connection has whose stream, one description after the other. */
export class StreamPlaces {
  /** Whose media the last one had. */
  #offered: readonly string[] = [];
  /** Tracks of which it was told which layer. */
  readonly #asked = new Set<string>();
  /** What is asked for of pictures, by whose they are. */
  readonly #asks: Map<string, Ask>;
  #tracks: readonly OfferedStream[] = [];

  constructor(
    private readonly member: Pick<Member, 'attendance' | 'set'>,
    leg: Leg,
  ) {
    this.#asks = new Map(layersAskedBy(leg));
  }

  /** What is no longer offered is excused only if whoever sent it left. */
  async read(sdp: string): Promise<ServerOffer> {
    const { attendance } = this.member;
    const offered = streamsIn(sdp);
    await attendance.met(
      offered.map(({ sid }) => sid),
      wordMs,
    );
    this.#tracks = offered;
    this.#askForLayers();
    const places = offered.flatMap(({ mid, sid }) => {
      const stream = attendance.identityOf(sid);
      return stream === undefined ? [] : [{ mid, stream }];
    });
    const streams = [...new Set(places.map(({ stream }) => stream))];
    const gone = this.#offered.filter((one) => !streams.includes(one));
    this.#offered = streams;
    const ended = gone.length === 0 ? [] : await attendance.leftOf(gone, wordMs);
    return { offer: sdp, places, ...(ended.length === 0 ? {} : { ended }) };
  }

  /** Of each track once, before its first packet: the server keeps to it. */
  #askForLayers(): void {
    for (const [participant, ask] of this.#asks) {
      const fresh = this.#tracksOf(participant).filter(({ trackSid }) => !this.#asked.has(trackSid));
      for (const { trackSid } of fresh) this.#asked.add(trackSid);
      this.#set(fresh, ask);
    }
  }

  /** Of somebody whose picture is not offered yet it is remembered. */
  ask(participant: string, ask: Ask): void {
    this.#asks.set(participant, ask);
    this.#set(this.#tracksOf(participant), ask);
  }

  #tracksOf(participant: string): readonly OfferedStream[] {
    return this.#tracks.filter(({ sid }) => this.member.attendance.identityOf(sid) === participant);
  }

  #set(tracks: readonly OfferedStream[], ask: Ask): void {
    const settings = settingsOf(tracks, ask);
    if (settings) this.member.set(settings);
  }
}
