import { entriesOf, entryAt, numberAt, type StatsEntry, type StatsReport, textAt } from '../../stats-report.js';
import type { SaidOfSender, Size, ToPictures } from './wire.js';

/** Taken before the app's code runs, as everything that acts for us. */
const { getParameters, setParameters } = RTCRtpSender.prototype;

/** So long nothing has changed before it is recorded. */
const steadySeconds = 4;
const recordedSeconds = 10;
/** About as small as encoders take pictures. */
const tinyHeight = 18;
/** Congestion control must allow this multiple of the sent rate; else the encoder is to follow it. */
const room = { toBegin: 1.3, toGoOn: 1.1 } as const;
/** What is allowed is said a little lower at times. */
const targetShare = 0.02;
/** Their frames can be sent again from any key frame on. */
const recordable = ['video/vp8', 'video/h264'];

/** webrtc-extensions, RTCSetParameterOptions: the types of the browser's API do not know it yet. */
type SetWithKeyFrame = (
  this: RTCRtpSender,
  parameters: RTCRtpSendParameters,
  options: { readonly encodingOptions: readonly { readonly keyFrame: boolean }[] },
) => Promise<void>;

/**
 * The encoder of one sender of the app. Once its rate has been steady, what it makes is recorded, and from then on it
 * makes tiny pictures, in whose place the recording goes out. When anything changes on which its rate depends, it
 * encodes as before.
 */
export class SpareEncoder {
  private state: 'real' | 'recording' | 'resting' = 'real';
  private steady = 0;
  private last = '';
  private target = 0;
  private size: Size = { width: 0, height: 0 };
  private ownScale: number | undefined;
  private sent = { bytes: 0, atMs: 0 };
  /** Why it encodes all the time; undefined: it need not. */
  unspared: string | undefined;

  constructor(
    readonly name: string,
    private readonly sender: RTCRtpSender,
    private readonly tell: (what: ToPictures) => void,
  ) {}

  /** The size of what goes out where that is not what the encoder makes. */
  get restsAt(): Size | undefined {
    return this.state === 'resting' ? this.size : undefined;
  }

  hear(said: SaidOfSender): void {
    if (said.said === 'key-frame-wanted') this.askForKeyFrame();
    else if (said.said === 'recorded') this.rest(said.size);
    else this.giveUp('a key frame did not come in time');
  }

  giveUp(why: string): void {
    this.unspared ??= why;
    this.wake();
  }

  /** To be called each second with what getStats says of its connection. */
  look(mid: string | null, report: StatsReport): void {
    const isOf = (one: StatsEntry) => one.kind === 'video' && textAt(one, 'mid') === mid;
    const entries = entriesOf(report, 'outbound-rtp').filter(isOf);
    const [entry] = entries;
    const fit = this.fit(report);
    if (!entry || this.unspared !== undefined) return;
    this.unspared = entries.length > 1 ? 'it sends layers' : this.unsuited(entry, report);
    const isResting = this.state === 'resting';
    const now = [this.source(), ...(isResting ? [] : [...madeBy(entry), ...ofCodec(entry, report)])].join(' ');
    const target = numberAt(entry, 'targetBitrate') ?? 0;
    const isNear = isResting || Math.abs(target - this.target) <= targetShare * this.target;
    if (!isNear) this.target = target;
    const isSteady = now === this.last && isNear && fit >= (this.state === 'real' ? room.toBegin : room.toGoOn);
    // What the encoder makes is left out of it while it rests.
    if (!isSteady || this.unspared !== undefined) this.wake();
    this.steady = isSteady ? this.steady + 1 : 0;
    this.last = now;
    if (this.state === 'real' && this.steady >= steadySeconds) this.record(entry, report);
  }

  /** What the app reads, which is to know nothing of a tiny picture. */
  shown(parameters: RTCRtpSendParameters): RTCRtpSendParameters {
    const [encoding] = parameters.encodings;
    if (this.state !== 'resting' || !encoding) return parameters;
    const { scaleResolutionDownBy: _, ...rest } = encoding;
    const own = this.ownScale === undefined ? {} : { scaleResolutionDownBy: this.ownScale };
    return { ...parameters, encodings: [{ ...rest, ...own }] };
  }

  /** What the app set is refused: the encoder is told itself to go back to work. */
  appFailed(): void {
    this.setScale();
  }

  /** The app sets parameters, which say of scaling what it was shown. */
  appSets(parameters: RTCRtpSendParameters): RTCRtpSendParameters {
    this.drop();
    const { transactionId } = getParameters.call(this.sender);
    return { ...parameters, transactionId };
  }

  private unsuited(entry: StatsEntry, report: StatsReport): string | undefined {
    const [mimeType] = ofCodec(entry, report);
    // Before anything was sent, it is not known.
    if (mimeType === undefined) return undefined;
    if (!recordable.includes(mimeType.toLowerCase())) return `it sends ${mimeType.replace('video/', '')}`;
    if ((textAt(entry, 'scalabilityMode') ?? 'L1T1') !== 'L1T1') return 'it sends layers';
    const { track } = this.sender;
    const isScreen = track?.getSettings().displaySurface !== undefined || /detail|text/.test(track?.contentHint ?? '');
    return isScreen ? 'it sends a screen' : undefined;
  }

  /** How many times what is sent fits into what is allowed. Where nobody estimates, all fits. */
  private fit(report: StatsReport): number {
    const bytes = entriesOf(report, 'outbound-rtp').reduce((sum, one) => sum + (numberAt(one, 'bytesSent') ?? 0), 0);
    const [first] = entriesOf(report, 'outbound-rtp');
    const before = this.sent;
    this.sent = { bytes, atMs: first?.timestamp ?? 0 };
    const bitsPerSecond = (8000 * (bytes - before.bytes)) / Math.max(1, this.sent.atMs - before.atMs);
    const allowed = entriesOf(report, 'candidate-pair').flatMap(
      (one) => numberAt(one, 'availableOutgoingBitrate') ?? [],
    );
    return allowed.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...allowed) / Math.max(1, bitsPerSecond);
  }

  private source(): string {
    const { track } = this.sender;
    return track === null ? 'none' : [track.id, track.enabled, track.muted, track.readyState].join();
  }

  private record(entry: StatsEntry, report: StatsReport): void {
    const { track } = this.sender;
    if (!track?.enabled || track.muted || track.readyState !== 'live') return;
    this.state = 'recording';
    const perSecond = track.getSettings().frameRate ?? numberAt(entry, 'framesPerSecond') ?? 0;
    const frames = Math.round(recordedSeconds * perSecond);
    const kbps = Math.round(this.target / 1000);
    const made = [track.label, ...ofCodec(entry, report), ...madeBy(entry), kbps, frames];
    this.tell({ tell: 'record', sender: this.name, frames, name: made.join(' ') });
  }

  private rest(size: Size): void {
    const parameters = getParameters.call(this.sender);
    const [encoding, ...others] = parameters.encodings;
    if (this.state !== 'recording' || !encoding) return;
    if (others.length > 0) this.giveUp('it sends layers');
    else if (size.height <= tinyHeight) this.giveUp('the size of its pictures is not known');
    if (this.unspared !== undefined) return;
    this.state = 'resting';
    this.size = size;
    this.last = this.source();
    this.ownScale = encoding.scaleResolutionDownBy;
    encoding.scaleResolutionDownBy = (this.ownScale ?? 1) * (size.height / tinyHeight);
    this.set(parameters);
  }

  private wake(): void {
    const wasResting = this.state === 'resting';
    this.drop();
    if (wasResting) this.setScale();
  }

  /** To what the app has asked for. */
  private setScale(): void {
    const parameters = getParameters.call(this.sender);
    const [encoding] = parameters.encodings;
    if (encoding) encoding.scaleResolutionDownBy = this.ownScale ?? 1;
    this.set(parameters);
  }

  private drop(): void {
    if (this.state !== 'real') this.tell({ tell: 'stop', sender: this.name });
    this.state = 'real';
    this.steady = 0;
  }

  /** The connection may be closing: then there is nothing to set. */
  private set(parameters: RTCRtpSendParameters): void {
    setParameters.call(this.sender, parameters).catch(() => undefined);
  }

  private askForKeyFrame(): void {
    const ask = setParameters as SetWithKeyFrame;
    const parameters = getParameters.call(this.sender);
    ask.call(this.sender, parameters, { encodingOptions: [{ keyFrame: true }] }).catch(() => undefined);
  }
}

const ofCodec = (entry: StatsEntry, report: StatsReport) =>
  ['mimeType', 'sdpFmtpLine'].map((field) => textAt(entryAt(report, entry, 'codecId'), field));

/** By what it makes, an encoder is known to do as before. */
function madeBy(entry: StatsEntry): readonly unknown[] {
  const isLimited = textAt(entry, 'qualityLimitationReason') !== 'none';
  return [numberAt(entry, 'frameWidth'), isLimited ? entry.timestamp : ''];
}
