import type { VideoCodec } from '../../model/codec.js';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';
import type { HostCall, HostReply, ProbeOrder } from '../page/wire.js';

/** The file of the clip that is sent, or those of its layers, the lowest first, and the ceiling of all pictures. */
export interface ClipOrder {
  readonly paths: readonly string[];
  readonly videoKbps: number;
  /** Sound that is forwarded is the clip's light one. */
  readonly lightVoice?: true;
}

export interface WorkerSetUp {
  readonly to: 'set-up';
  readonly videoCodec: VideoCodec;
  /** This host's, as marks name it. */
  readonly ownClock: number;
  /** Where in each second its probes begin to be read. */
  readonly phaseMs: number;
  /** Present where somebody sends. */
  readonly clip?: ClipOrder;
  /** Of a TURN server's certificate that nobody vouches for: SHA-256 of its public key, base64. */
  readonly trustedKey?: string;
  /** Where probes may send to; absent: everywhere. */
  readonly allow?: readonly string[];
}

/** What the fleet tells a process of native probes. Plain data, over a pipe of its own. */
export type ToWorker =
  | WorkerSetUp
  | { readonly to: 'start'; readonly order: ProbeOrder }
  | { readonly to: 'candidate'; readonly probe: string; readonly leg: string; readonly candidate: IceCandidate }
  | {
      readonly to: 'renegotiate';
      readonly nth: number;
      readonly probe: string;
      readonly leg: string;
      readonly offer: ServerOffer;
    }
  /** It leaves, while others go on. */
  | { readonly to: 'hang-up'; readonly probe: string }
  | { readonly to: 'reply'; readonly nth: number; readonly reply: HostReply | null }
  | { readonly to: 'leave' };

/** What such a process tells the fleet. Calls are those of a page. */
export type FromWorker =
  | { readonly from: 'ready' }
  | { readonly from: 'call'; readonly nth: number; readonly call: HostCall }
  | { readonly from: 'renegotiated'; readonly nth: number; readonly answer: string | null }
  /** Once a second: datagrams dropped by full sockets of its probes, and its greatest lateness, since the last. */
  | { readonly from: 'second'; readonly dropped: number; readonly lateMs: number }
  /** The media server asked from an address to which nothing may be sent. */
  | { readonly from: 'forbidden'; readonly address: string }
  | { readonly from: 'left' };

/** Either end of the channel. */
export interface Channel<Out, In> {
  /** Nothing happens when the other end is gone. */
  send(message: Out): void;
  onMessage(listener: (message: In) => void): void;
}
