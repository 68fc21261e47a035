import type { StreamSample } from '../../../../model/sample.js';
import { ownTransform } from '../../../../model/visited-page.js';
import { entriesOf, type StatsReport, textAt } from '../../stats-report.js';
import { inPlace } from '../in-place.js';
import { type TransformAccess, watchTransforms } from './own-transforms.js';
import { SpareEncoder } from './spare-encoder.js';
import type { FromPictures, PicturesOrder, ToPictures } from './wire.js';
import { WorkerLateness } from './worker-lateness.js';

/** Taken before the app's code runs. */
const { getTransceivers } = RTCPeerConnection.prototype;
const { addEventListener } = EventTarget.prototype;

/** From one picture to the next of a usual camera. */
const latestMs = 33;

/**
 * Pictures of a visited page cost neither a decoder nor, once they are recorded, an encoder of their size. All the rest
 * stays the browser's own.
 */
export class Sparing {
  private readonly transforms: TransformAccess;
  private readonly encoders = new Map<RTCRtpSender, SpareEncoder>();
  private readonly connections = new WeakSet<RTCPeerConnection>();
  readonly lateness = new WorkerLateness(() => this.tell({ tell: 'report' }));
  private why: string | undefined;
  private made = 0;

  private constructor(
    private readonly worker: Worker,
    private readonly phase: number,
  ) {
    this.transforms = watchTransforms((of) => this.leaveToApp(of));
    hideScaling(this.encoders);
    for (const name of ['addTrack', 'addTransceiver', 'addStream'])
      inPlace(RTCPeerConnection.prototype, name, (target, of, args) => {
        const made: unknown = Reflect.apply(target, of, args);
        this.meet(of as RTCPeerConnection);
        return made;
      });
    worker.onerror = () => {
      this.why ??= 'their worker has failed';
      this.lateness.fail();
    };
    worker.onmessage = ({ data }: { readonly data: FromPictures }) => {
      if (data.said === 'report') this.lateness.hear(data.lateMs);
      else for (const encoder of this.encoders.values()) if (encoder.name === data.sender) encoder.hear(data);
    };
  }

  /** By the worker's bundled code. `phase`, from 0 to 1, is another one for each page. */
  static open(code: string, phase: number): Sparing {
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    const worker = new Worker(url);
    return new Sparing(worker, phase);
  }

  /** Which pictures cost what they always do, and why. */
  get unspared(): readonly string[] {
    const encoders = [...this.encoders.values()].flatMap(({ unspared }) => unspared ?? []);
    return [...new Set([...(this.why === undefined ? [] : [this.why]), ...encoders])];
  }

  observe(connection: RTCPeerConnection, configuration: unknown): void {
    // The way of transforms before they were: with it, the app alone may have the frames.
    if ((configuration as { readonly encodedInsertableStreams?: boolean } | undefined)?.encodedInsertableStreams)
      this.leaveToApp();
    else this.connections.add(connection);
    for (const event of ['track', 'signalingstatechange'])
      addEventListener.call(connection, event, () => this.meet(connection));
  }

  /** To be called each second with what getStats says. */
  look(connection: RTCPeerConnection, report: StatsReport): void {
    for (const { sender, mid } of getTransceivers.call(connection)) this.encoders.get(sender)?.look(mid, report);
    for (const sender of this.encoders.keys()) if (sender.transport?.state === 'closed') this.encoders.delete(sender);
  }

  /** A sample without what is known of tiny and grey pictures alone. */
  corrected(connection: RTCPeerConnection, report: StatsReport, sample: StreamSample): StreamSample {
    if (sample.kind !== 'video') return sample;
    if (sample.direction === 'receive') {
      const { qpSum: _, ...metrics } = sample.metrics;
      return { ...sample, metrics };
    }
    const mids = new Set(entriesOf(report, 'outbound-rtp').flatMap((one) => textAt(one, 'mid') ?? []));
    const of = getTransceivers
      .call(connection)
      .find(({ mid, sender }) => this.encoders.has(sender) && mids.has(mid ?? ''));
    const size = of && this.encoders.get(of.sender)?.restsAt;
    if (!size) return sample;
    const { encodeMs: _, targetKbps: __, ...metrics } = sample.metrics;
    const { qualityLimitation: ___, ...rest } = sample;
    return { ...rest, metrics: { ...metrics, frameWidth: size.width, frameHeight: size.height } };
  }

  private leaveToApp(of?: RTCRtpSender | RTCRtpReceiver): void {
    this.why = ownTransform;
    this.encoders.get(of as RTCRtpSender)?.giveUp(ownTransform);
  }

  /** Both ends of each transceiver: a transform that is set later than in the task that made them gets no frames. */
  private meet(connection: RTCPeerConnection): void {
    if (!this.connections.has(connection)) return;
    for (const { sender, receiver } of getTransceivers.call(connection)) {
      if (receiver.track.kind !== 'video' || this.encoders.has(sender)) continue;
      this.made += 1;
      const name = `${this.made}`;
      this.encoders.set(sender, new SpareEncoder(name, sender, (what) => this.tell(what)));
      this.transform(sender, { direction: 'send', sender: name, lateMs: this.nextPhase() });
      this.transform(receiver, { direction: 'receive' });
    }
  }

  /** However many there are, each one's is far from all others': by the golden section. */
  private nextPhase(): number {
    return ((this.phase + this.made * 0.618034) % 1) * latestMs;
  }

  private transform(of: RTCRtpSender | RTCRtpReceiver, order: PicturesOrder): void {
    this.transforms.set(of, new RTCRtpScriptTransform(this.worker, order));
  }

  private tell(what: ToPictures): void {
    this.worker.postMessage(what);
  }
}

/** The app reads and sets parameters as if nobody else did. */
function hideScaling(encoders: ReadonlyMap<RTCRtpSender, SpareEncoder>): void {
  inPlace(RTCRtpSender.prototype, 'getParameters', (target, of, args) => {
    const parameters = Reflect.apply(target, of, args) as RTCRtpSendParameters;
    return encoders.get(of as RTCRtpSender)?.shown(parameters) ?? parameters;
  });
  inPlace(RTCRtpSender.prototype, 'setParameters', (target, of, args) => {
    const encoder = encoders.get(of as RTCRtpSender);
    if (!encoder) return Reflect.apply(target, of, args) as unknown;
    const wasResting = encoder.restsAt !== undefined;
    const [parameters, ...rest] = args as [RTCRtpSendParameters, ...unknown[]];
    const set = Reflect.apply(target, of, [encoder.appSets(parameters), ...rest]) as Promise<void>;
    if (wasResting) set.catch(() => encoder.appFailed());
    return set;
  });
}
