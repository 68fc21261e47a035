import type { Ask } from './layer.js';
import type { QualityLimitation, ReceiveMetric, SendMetric } from './metric.js';
import type { ProbeHostId } from './probe-host.js';
import type { StreamKind } from './scenario.js';

/** How long what came in one second had taken, of all whose senders go by one clock. */
export interface ClockTime {
  /** As marks name it; absent: it is the receiver's own. */
  readonly clock?: number;
  readonly count: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

/** Until it was there, or was shown. Times of another clock say nothing by themselves, and are no metrics yet. */
export type ForeignTime = ClockTime & { readonly of: 'delay' | 'shown' };

/** One received stream in one second. Absent metrics were not in getStats: absent is never zero. */
export interface ReceiveStreamSample {
  readonly leg: string;
  readonly direction: 'receive';
  readonly kind: StreamKind;
  /** Which of the leg's streams of this kind; absent: it has one only. */
  readonly stream?: string;
  readonly metrics: Readonly<Partial<Record<ReceiveMetric, number>>>;
  readonly restarted?: Restarted;
  /**
   * In some of this second its source was gone, as the server had said, or the receiver did not show it: then nothing
   * of it is measured, nor missed.
   */
  readonly away?: true;
  /** Of a video of which not always the same is asked for: what was at the end of this second, and for how long. */
  readonly asked?: { readonly layer: Ask; readonly forMs: number };
  /** Whose pictures came in place of the expected sender's, last; as they are marked. */
  readonly foreignSender?: number;
  /** Who was seen in a mixed picture, as drawn marks say, and in how many of the looks at it. */
  readonly seen?: readonly (readonly [sender: number, looks: number])[];
  /** Present where its sender has another clock, until the conductor has it (`byOneClock`). */
  readonly byClock?: readonly ForeignTime[];
  /** It is of a screen (inbound-rtp.contentType), which has a new picture when it changes, and seldom otherwise. */
  readonly screen?: true;
}

export interface SendStreamSample {
  readonly leg: string;
  readonly direction: 'send';
  readonly kind: StreamKind;
  /** The rid of its layer; absent: the leg sends one stream of this kind. */
  readonly stream?: string;
  readonly metrics: Readonly<Partial<Record<SendMetric, number>>>;
  /** Its sender has switched it off (outbound-rtp.active): then nothing of it is measured, nor missed. */
  readonly paused?: true;
  readonly qualityLimitation?: QualityLimitation;
  /** Whether what is sent again has an SSRC of its own (RFC 4588); absent where nobody looked. */
  readonly rtx?: boolean;
  readonly restarted?: Restarted;
}

/** The SSRC changed or the counters went back in this second: its deltas are unknown, so absent. */
type Restarted = true;

export type StreamSample = ReceiveStreamSample | SendStreamSample;

/** Nothing of it is expected in this second: its source is gone, it is not shown, or its layer is switched off. */
export const isAway = (stream: StreamSample): boolean =>
  stream.direction === 'receive' ? stream.away === true : stream.paused === true;

/** The transport of one leg at the end of the second (webrtc-stats candidate-pair and transport). */
export interface LegSample {
  readonly leg: string;
  readonly connectionState: string;
  /** candidate-pair.currentRoundTripTime of the selected pair, ms. */
  readonly rttMs?: number;
  /** Round trips that cannot be, and were left out. */
  readonly roundTripsDropped?: number;
  readonly availableOutgoingKbps?: number;
  readonly availableIncomingKbps?: number;
  /** Type of the local candidate in the selected pair: host, srflx, prflx or relay. */
  readonly localCandidateType?: string;
  /** Of a relayed candidate: how the relay is reached, udp, tcp or tls. */
  readonly relayProtocol?: string;
  readonly protocol?: string;
}

/** One reading of one probe's metrics, one second wide. */
export interface Sample {
  readonly probe: string;
  /** Where the probe runs; absent: on the one host. */
  readonly host?: ProbeHostId;
  /** End of the second, epoch ms: on the probe host's clock until the conductor has it, then on the conductor's. */
  readonly atMs: number;
  /** The true width of the reading: what deltas are divided by, milliseconds. */
  readonly intervalMs: number;
  /** How late the page's timer fired, milliseconds: a loaded page is late. */
  readonly lateMs: number;
  readonly legs: readonly LegSample[];
  readonly streams: readonly StreamSample[];
}
