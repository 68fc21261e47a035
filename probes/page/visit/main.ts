import { playTrack } from '../camera.js';
import { nowMs, startTicks, type Tick } from '../clock.js';
import { relayOnly } from '../ice.js';
import { leaveVoicePlain } from './encoded/plain-voice.js';
import { Sparing } from './encoded/sparing.js';
import { ObservedConnection } from './observed-connection.js';
import { keepStreams, participantNow } from './participant-now.js';
import { watchConnections } from './watch-connections.js';
import type { FrameReading, NextLook, VisitSettings } from './wire.js';

/** Comes before this code, in the same function. */
declare const visitSettings: VisitSettings;

/** How often a page that joins is looked at: the resolution of the time to its first frame. */
const soonMs = 200;
/** Those of one document read at different parts of the second. */
const spreadMs = 618;

/** A reading goes as text: the driver would look at each of its values. */
type Tell = (reading: string) => Promise<NextLook>;

/** Reads connections and tells of them: a page's always, a frame's and a library's once there are any. */
class Observer {
  private readonly frame = `${Math.random()}`;
  private readonly isTop = globalThis.top === globalThis.self;
  private connections: ObservedConnection[] = [];
  private readonly elements: HTMLMediaElement[] = [];
  private readonly media: MediaStream[] = [];
  private made = 0;
  private reading: Promise<NextLook | undefined> | undefined;
  private isTicking = false;
  private wholeMs: number | undefined;
  /** Of its worker, what was before is told. */
  private lateFromMs = 0;
  private sparing: Sparing | undefined;
  private end: (() => void) | undefined;

  /** Of this participant of a library; undefined: of the document. */
  constructor(
    private readonly tell: Tell,
    private readonly of: string | undefined,
    private readonly phaseMs: number,
  ) {
    if (this.isTop) this.start();
  }

  /** With what spares its pictures, where anything does. */
  observe(connection: RTCPeerConnection, sparing: Sparing | undefined): void {
    this.made += 1;
    this.sparing = sparing;
    this.connections.push(new ObservedConnection(`${this.made}`, connection, sparing));
    if (visitSettings.plays) this.play(connection);
    this.start();
  }

  /** A stream of a camera or microphone, which ends when its participant leaves. */
  keep(stream: MediaStream): void {
    this.media.push(stream);
  }

  /** As when its page is closed. */
  close(): void {
    for (const connection of this.connections) connection.close();
    for (const element of this.elements) element.remove();
    for (const track of this.media.flatMap((stream) => stream.getTracks())) track.stop();
    this.connections = [];
    this.end?.();
  }

  /** Without playout the jitter buffer is never drained. Pictures are decoded all the same. */
  private play(connection: RTCPeerConnection): void {
    connection.addEventListener('track', ({ track }) => {
      if (track.kind === 'audio') this.elements.push(playTrack(track));
    });
  }

  private start(): void {
    if (this.isTicking) return;
    this.isTicking = true;
    this.end = startTicks(this.phaseMs, (tick) => void this.look(tick, true));
    const soon = setInterval(async () => {
      const next = await this.look({ dueMs: nowMs(), lateMs: 0 }, false);
      if (next === 'each-second') clearInterval(soon);
    }, soonMs);
  }

  /** Between readings it looks only where nothing else does; a reading waits for a look that is under way. */
  private async look(tick: Tick, isWhole: boolean): Promise<NextLook | undefined> {
    if (this.reading && isWhole) await this.reading;
    if (this.reading) return undefined;
    this.reading = this.read(tick, isWhole);
    try {
      return await this.reading;
    } finally {
      this.reading = undefined;
    }
  }

  /** Nothing when the page is on its way out. */
  private async read({ dueMs, lateMs }: Tick, isWhole: boolean): Promise<NextLook | undefined> {
    const beganMs = nowMs();
    try {
      this.connections = this.connections.filter(({ isClosed }) => !isClosed);
      // One that is closed meanwhile has nothing more to tell.
      const read = this.connections.map((one) => one.read(isWhole).catch(() => []));
      const [workerLateMs = 0, seen] = await Promise.all([
        isWhole ? this.sparing?.lateness.since(this.lateFromMs) : undefined,
        Promise.all(read),
      ]);
      if (isWhole) this.lateFromMs = nowMs();
      const connections = seen.flat();
      const { frame, isTop, of } = this;
      const times = connections.flatMap(({ readMs }) => readMs ?? []);
      const atMs = times.length > 0 ? Math.max(...times) : beganMs;
      const since = isWhole && this.wholeMs !== undefined ? { sinceMs: this.wholeMs } : {};
      if (isWhole) this.wholeMs = atMs;
      const unspared = this.sparing?.unspared ?? [];
      const whose = of === undefined ? {} : { of };
      const reading: FrameReading = {
        frame,
        ...whose,
        isTop,
        dueMs,
        lateMs: Math.max(lateMs, workerLateMs),
        atMs,
        ...since,
        isWhole,
        connections,
        unspared,
      };
      return await this.tell(JSON.stringify(reading));
    } catch {
      return undefined;
    }
  }
}

const page = globalThis as unknown as Record<string, unknown>;
const tell = page[visitSettings.binding];
if (typeof tell === 'function') {
  delete page[visitSettings.binding];
  const { pictures, relay, plays, phaseMs } = visitSettings;
  const observers = new Map<string | undefined, Observer>();
  let sparing: Sparing | undefined;
  const observerOf = (name: string | undefined): Observer => {
    const observer =
      observers.get(name) ?? new Observer(tell as Tell, name, (phaseMs + observers.size * spreadMs) % 1000);
    observers.set(name, observer);
    return observer;
  };
  if (pictures !== undefined) leaveVoicePlain();
  if (plays) {
    keepStreams((stream, name) => observerOf(name).keep(stream));
    page.loadlineLeave = (name: string) => {
      observers.get(name)?.close();
      observers.delete(name);
    };
  }
  watchConnections((connection, configuration) => {
    if (pictures !== undefined) sparing ??= Sparing.open(pictures, phaseMs / 1000);
    sparing?.observe(connection, configuration);
    observerOf(plays && participantNow()).observe(connection, sparing);
  }, relayOnly(relay));
  observerOf(undefined);
}
