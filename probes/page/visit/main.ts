import { playTrack } from '../camera.js';
import { nowMs, startTicks, type Tick } from '../clock.js';
import { relayOnly } from '../ice.js';
import { ObservedConnection } from './observed-connection.js';
import { watchConnections } from './watch-connections.js';
import type { FrameReading, NextLook, VisitSettings } from './wire.js';

/** Comes before this code, in the same function. */
declare const visitSettings: VisitSettings;

/** How often a page that joins is looked at: the resolution of the time to its first frame. */
const soonMs = 200;

/** A reading goes as text: the driver would look at each of its values. */
type Tell = (reading: string) => Promise<NextLook>;

/** Reads this document's connections and tells of them: the page's always, a frame's once it has any. */
class Observer {
  private readonly frame = `${Math.random()}`;
  private readonly isTop = globalThis.top === globalThis.self;
  private readonly tell: Tell;
  private connections: ObservedConnection[] = [];
  private made = 0;
  private reading: Promise<NextLook | undefined> | undefined;
  private isTicking = false;
  private wholeMs: number | undefined;

  constructor(tell: Tell) {
    this.tell = tell;
    if (this.isTop) this.start();
  }

  observe(connection: RTCPeerConnection): void {
    this.made += 1;
    this.connections.push(new ObservedConnection(`${this.made}`, connection));
    if (visitSettings.plays) playSound(connection);
    this.start();
  }

  private start(): void {
    if (this.isTicking) return;
    this.isTicking = true;
    startTicks(visitSettings.phaseMs, (tick) => void this.look(tick, true));
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
      const connections = (await Promise.all(read)).flat();
      const { frame, isTop } = this;
      const times = connections.flatMap(({ readMs }) => readMs ?? []);
      const atMs = times.length > 0 ? Math.max(...times) : beganMs;
      const since = isWhole && this.wholeMs !== undefined ? { sinceMs: this.wholeMs } : {};
      if (isWhole) this.wholeMs = atMs;
      const reading: FrameReading = { frame, isTop, dueMs, lateMs, atMs, ...since, isWhole, connections };
      return await this.tell(JSON.stringify(reading));
    } catch {
      return undefined;
    }
  }
}

/** Without playout the jitter buffer is never drained. Pictures are decoded all the same. */
function playSound(connection: RTCPeerConnection): void {
  connection.addEventListener('track', ({ track }) => {
    if (track.kind === 'audio') playTrack(track);
  });
}

const page = globalThis as unknown as Record<string, unknown>;
const tell = page[visitSettings.binding];
if (typeof tell === 'function') {
  delete page[visitSettings.binding];
  const observer = new Observer(tell as Tell);
  watchConnections((connection) => observer.observe(connection), relayOnly(visitSettings.relay));
}
