import type { Leg, MediaKind } from '../../../model/scenario.js';
import { nowMs } from '../clock.js';
import { iceIsUp } from '../join-watch.js';
import { legSample } from '../leg-sample.js';
import { routeOf } from '../route.js';
import { entriesOf, numberAt, readingTimeMs, type StatsEntry, type StatsReport, textAt } from '../stats-report.js';
import { streamSamples } from '../stream-samples.js';
import type { Sparing } from './encoded/sparing.js';
import { SentLayers } from './sent-layers.js';
import { takenAgain } from './taken-again.js';
import type { ConnectionSeen, StreamSeen } from './wire.js';

/** Taken before the app's code runs: what it replaces later is not ours. */
const { close, getStats, getSenders, getTransceivers } = RTCPeerConnection.prototype;
const { getCapabilities, getSettings } = MediaStreamTrack.prototype;
const { addEventListener } = EventTarget.prototype;

interface Section {
  readonly direction: StreamSeen['direction'];
  readonly kind: MediaKind;
  readonly mid: string;
  readonly arrived: boolean;
}

/** A connection of the app, which is read and otherwise left alone. */
export class ObservedConnection {
  readonly id: string;
  private readonly connection: RTCPeerConnection;
  private readonly madeMs = performance.now();
  private readonly layers = new SentLayers();
  private last: StatsReport | undefined;
  /** Until it is described anew: a description is long, and is written out each time. */
  private rtx: readonly MediaKind[] | undefined;
  private times: Pick<ConnectionSeen, 'answeredMs' | 'iceConnectedMs' | 'dtlsConnectedMs'> = {};

  constructor(
    id: string,
    connection: RTCPeerConnection,
    private readonly sparing: Sparing | undefined,
  ) {
    this.id = id;
    this.connection = connection;
    for (const event of ['signalingstatechange', 'iceconnectionstatechange', 'connectionstatechange'])
      addEventListener.call(connection, event, () => this.note());
    addEventListener.call(connection, 'signalingstatechange', () => {
      this.rtx = undefined;
    });
  }

  get isClosed(): boolean {
    return this.connection.signalingState === 'closed';
  }

  /** As when its page is closed. */
  close(): void {
    close.call(this.connection);
  }

  /** What it carries now. A whole reading is measured from the whole one before. */
  async read(isWhole: boolean): Promise<ConnectionSeen> {
    // lib.dom types the report's values `any`; each is an RTCStats, which has id, type and timestamp.
    const raw = new Map(await getStats.call(this.connection)) as StatsReport;
    const report = isWhole ? this.layers.merged(raw) : raw;
    if (isWhole) this.sparing?.look(this.connection, raw);
    const sections = sectionsOf(report);
    const wanted = this.wantedMids();
    const samples = isWhole ? this.samplesOf(sections, report) : [];
    this.note();
    const readMs = readingTimeMs(raw);
    const route = routeOf(this.id, raw);
    return {
      id: this.id,
      ...(readMs === undefined ? {} : { readMs }),
      connectionState: this.connection.connectionState,
      iceState: this.connection.iceConnectionState,
      ...this.times,
      ...(route ? { route } : {}),
      leg: legSample(this.id, this.connection.connectionState, report, this.facts),
      streams: sections.map(({ direction, kind, mid, arrived }, index) => {
        const sample = samples[index];
        const isWanted = direction === 'send' || wanted.has(mid);
        return { direction, kind, mid, arrived, wanted: isWanted, ...(sample ? { sample } : {}) };
      }),
    };
  }

  private get facts() {
    this.rtx ??= takenAgain(this.connection.currentRemoteDescription?.sdp ?? '');
    return { ageMs: performance.now() - this.madeMs, askedFps: this.askedFps, rtx: this.rtx };
  }

  /** One for each section, in their order. */
  private samplesOf(sections: readonly Section[], report: StatsReport) {
    const last = this.last;
    this.last = report;
    const streamOfMid = new Map(sections.map(({ mid }) => [mid, mid]));
    return sections.map((section) => {
      const [sample] = streamSamples(legOf(this.id, section), last, report, { ...this.facts, streamOfMid });
      return sample && (this.sparing?.corrected(this.connection, report, sample) ?? sample);
    });
  }

  /**
   * Frames a second that the app asked of the camera with this track; 0 of a shared screen, which may stand still. Of
   * what a script makes (MediaStreamTrackGenerator) Chromium says how many came, which nobody asked for: it has no such
   * capability.
   */
  private readonly askedFps = (trackId: string | undefined): number | undefined => {
    const track = getSenders.call(this.connection).find((sender) => sender.track?.id === trackId)?.track;
    if (!track) return undefined;
    const { frameRate, displaySurface } = getSettings.call(track);
    if (displaySurface !== undefined) return 0;
    return getCapabilities.call(track).frameRate === undefined ? undefined : frameRate;
  };

  /** Media sections over which something is to come, as both ends have agreed (RTCRtpTransceiver.currentDirection). */
  private wantedMids(): ReadonlySet<string> {
    const receiving = getTransceivers.call(this.connection).filter(({ currentDirection, receiver }) => {
      const isOn = currentDirection === 'sendrecv' || currentDirection === 'recvonly';
      return isOn && receiver.track.readyState === 'live';
    });
    return new Set(receiving.flatMap(({ mid }) => (mid === null ? [] : [mid])));
  }

  private note(): void {
    const { connection } = this;
    const isAnswered = connection.signalingState === 'stable' && connection.currentRemoteDescription !== null;
    const reached = {
      ...(isAnswered ? { answeredMs: nowMs() } : {}),
      ...(iceIsUp(connection.iceConnectionState) ? { iceConnectedMs: nowMs() } : {}),
      ...(connection.connectionState === 'connected' ? { dtlsConnectedMs: nowMs() } : {}),
    };
    // The first time counts.
    this.times = { ...reached, ...this.times };
  }
}

/** Streams that getStats knows of, each with its media section; one that never had a packet has no entry there. */
function sectionsOf(report: StatsReport): readonly Section[] {
  const of = (type: 'inbound-rtp' | 'outbound-rtp', direction: Section['direction']): readonly Section[] => {
    const found = new Map<string, Section>();
    for (const entry of entriesOf(report, type)) {
      const kind = kindOf(entry);
      if (kind === undefined) continue;
      const mid = direction === 'send' ? `sent ${kind}` : (textAt(entry, 'mid') ?? `ssrc ${numberAt(entry, 'ssrc')}`);
      const arrived = (found.get(mid)?.arrived ?? false) || hasArrived(entry, kind, direction);
      found.set(mid, { direction, kind, mid, arrived });
    }
    return [...found.values()];
  };
  return [...of('inbound-rtp', 'receive'), ...of('outbound-rtp', 'send')];
}

function kindOf({ kind }: StatsEntry): MediaKind | undefined {
  return kind === 'audio' || kind === 'video' ? kind : undefined;
}

function hasArrived(entry: StatsEntry, kind: MediaKind, direction: Section['direction']): boolean {
  const field = direction === 'send' ? 'bytesSent' : kind === 'video' ? 'framesDecoded' : 'packetsReceived';
  return (numberAt(entry, field) ?? 0) > 0;
}

/** The section as a leg of its own, so that its stream is measured as that of any probe. */
function legOf(id: string, { direction, kind, mid }: Section): Leg {
  if (direction === 'send') return { id, sends: [kind], receives: [] };
  return { id, sends: [], receives: [kind], from: [{ participant: 'others', kinds: [kind], stream: mid }] };
}
