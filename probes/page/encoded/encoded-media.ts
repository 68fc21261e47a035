import { type EncodableCodec, isEncodable, type VideoCodec } from '../../../model/codec.js';
import { leftForVideo, type RateFeedback } from '../../../model/rate-control.js';
import {
  type Leg,
  type MediaKind,
  type Participant,
  type ReceivedStream,
  receivedStreams,
  receivesMix,
  senderOfSource,
  sendsPauses,
} from '../../../model/scenario.js';
import { senderOf } from '../../../model/sender-mark.js';
import { playTrack } from '../camera.js';
import type { EncodedParts } from '../wire.js';
import { RungChoice, rungFor } from './rungs.js';
import { type UnheardTrack, unheardTrack } from './unheard-track.js';
import { WorkerReports } from './worker-reports.js';
import { type FromWorker, type StreamOrder, streamId, type ToWorker } from './worker-wire.js';

const loadBoundMs = 10_000;
/** What libwebrtc allows a sender before the first estimate (its start bitrate). */
const startKbps = 300;

/** The camera whose frames are replaced: as small as encoders take it. */
export const standInCamera = { width: 32, height: 18 } as const;

interface Sending {
  readonly sender: RTCRtpSender;
  readonly choice: RungChoice;
  /** The estimate is of sound, too. */
  readonly withSound: boolean;
  rung: number;
}

/**
 * Encoded media of one page: a worker puts frames that were encoded once in place of those of a tiny camera, and tiny
 * ones in place of received frames before they are decoded. All the rest (ICE, DTLS, SRTP, pacing, congestion control,
 * NACK, PLI, jitter buffer, getStats) stays the browser's own.
 */
export class EncodedMedia {
  private readonly sending = new Map<string, Sending>();
  private readonly participants = new Map<string, string>();
  readonly reports = new WorkerReports(() => this.tell({ tell: 'report' }));

  private constructor(
    private readonly worker: Worker,
    private readonly rungsKbps: readonly number[],
    private readonly unheard: UnheardTrack,
    private readonly parts: Pick<EncodedParts, 'lightVoice'> & {
      /** By its name in marks. */
      readonly clock: number;
      readonly codec: EncodableCodec;
    },
  ) {
    worker.onmessage = ({ data }: { readonly data: FromWorker }) => this.hear(data);
  }

  /** Starts the worker of this page's own script and loads the clip. Rejects with what was wrong. */
  static async open(
    { script, clip, lightVoice }: EncodedParts,
    clock: number,
    codec: VideoCodec,
  ): Promise<EncodedMedia> {
    if (!isEncodable(codec)) throw new Error(`no clips are made of ${codec}`);
    const worker = new Worker(script);
    const tell: ToWorker = { tell: 'load', clip };
    const rungsKbps = await new Promise<readonly number[]>((resolve, reject) => {
      setTimeout(() => reject(new Error('the encoded clip was not loaded in time')), loadBoundMs);
      worker.onerror = ({ message }) => reject(new Error(`the worker of encoded media failed: ${message}`));
      worker.onmessage = ({ data }: { readonly data: FromWorker }) => {
        if (data.said === 'loaded') resolve(data.rungsKbps);
        else reject(new Error(data.said === 'broken' ? data.why : 'the worker of encoded media said something else'));
      };
      worker.postMessage(tell);
    });
    return new EncodedMedia(worker, rungsKbps, await unheardTrack(), {
      lightVoice,
      clock,
      codec,
    });
  }

  /** Whose legs they are. */
  meet({ id, legs }: Participant): void {
    for (const leg of legs) this.participants.set(leg.id, id);
  }

  private marksOf(participant: string | undefined, kind: MediaKind): Pick<StreamOrder, 'marks'> {
    const { clock } = this.parts;
    const codec = kind === 'audio' ? 'opus' : this.parts.codec;
    return { marks: { clock, codec, ...(participant === undefined ? {} : { sender: senderOf(participant) }) } };
  }

  /** Silence costs an encoder nothing, and goes out as it is; so does the voice that comes between. */
  send(leg: Leg, kind: MediaKind, sender: RTCRtpSender): void {
    if (kind === 'audio' && sendsPauses(leg)) return;
    const stream = streamId(leg.id, 'send', kind);
    const rung = rungFor(startKbps, this.rungsKbps);
    if (kind === 'video') {
      const withSound = leg.sends.includes('audio');
      this.sending.set(stream, { sender, rung, withSound, choice: new RungChoice(this.rungsKbps, rung) });
    }
    const light = this.parts.lightVoice && !receivesMix(leg);
    const marks = this.marksOf(this.participants.get(leg.id), kind);
    sender.transform = this.transform({ stream, direction: 'send', kind, rung, light, ...marks });
  }

  /** Sound is decoded as it comes, for its level is worth having. What a server mixed has no marks to be read. */
  receive(leg: Leg, { kind, from, stream: name }: ReceivedStream, receiver: RTCRtpReceiver): void {
    const source = senderOfSource(from);
    if (kind === 'audio' && !(this.parts.lightVoice && source)) return;
    const stream = streamId(leg.id, 'receive', kind, name);
    const marks = this.marksOf(source, kind);
    receiver.transform = this.transform({ stream, direction: 'receive', kind, rung: 0, ...marks });
  }

  /**
   * Video is decoded and counted without an element, and without its track: tiny stand-ins would be drawn for nobody.
   * Sound is decoded, and its level measured, while it is part of what an element plays; it need not be handed to its
   * own track, too, so the element has another one to live by. Returns the element, if any.
   */
  play(track: MediaStreamTrack): HTMLMediaElement | undefined {
    if (track.kind === 'video') {
      track.stop();
      return undefined;
    }
    const element = playTrack(track, this.unheard.track);
    element.addEventListener('playing', () => track.stop(), { once: true });
    return element;
  }

  /**
   * What congestion control allows now (candidate-pair.availableOutgoingBitrate) decides at which rate the clip is
   * sent. The encoder's own target would not do: libwebrtc allows a camera this small no more than 300 kbit/s. `resent`
   * is the share of what was sent that was sent again: an encoder gets that much less.
   */
  allow(leg: string, availableKbps: number, resent: number, feedback: readonly RateFeedback[]): void {
    const stream = streamId(leg, 'send', 'video');
    const sending = this.sending.get(stream);
    if (!sending) return;
    const allowedKbps = leftForVideo(availableKbps, sending.withSound, feedback);
    const rung = sending.choice.choose(allowedKbps * (1 - resent));
    if (rung === sending.rung) return;
    sending.rung = rung;
    this.tell({ tell: 'rung', stream, rung });
  }

  forget(leg: Leg): void {
    const streams = [
      ...leg.sends.map((kind) => streamId(leg.id, 'send', kind)),
      ...receivedStreams(leg).map(({ kind, stream }) => streamId(leg.id, 'receive', kind, stream)),
    ];
    for (const stream of streams) this.sending.delete(stream);
    this.participants.delete(leg.id);
    this.tell({ tell: 'forget', streams });
  }

  private transform(order: StreamOrder): RTCRtpScriptTransform {
    return new RTCRtpScriptTransform(this.worker, order);
  }

  private hear(data: FromWorker): void {
    if (data.said === 'key-frame-wanted') {
      const sending = this.sending.get(data.stream);
      // The connection may be closing: then there is no one to want it.
      if (sending) askForKeyFrame(sending.sender).catch(() => undefined);
    } else if (data.said === 'report') {
      this.reports.hear(data.report);
    }
  }

  private tell(what: ToWorker): void {
    this.worker.postMessage(what);
  }
}

/** webrtc-extensions, RTCSetParameterOptions: the types of the browser's API do not know it yet. */
interface KeyFrameSender {
  setParameters(
    parameters: RTCRtpSendParameters,
    options: { readonly encodingOptions: readonly { readonly keyFrame: boolean }[] },
  ): Promise<void>;
}

function askForKeyFrame(sender: RTCRtpSender): Promise<void> {
  return (sender as KeyFrameSender).setParameters(sender.getParameters(), { encodingOptions: [{ keyFrame: true }] });
}
