import type { ScrapedReading } from '../model/evidence.js';
import type { HostFacts, Manifest } from '../model/run.js';
import type { RunListener } from '../model/run-event.js';
import type { Networks } from '../model/run-networks.js';
import type { Fleet, FleetListener, FleetOptions } from '../probes/fleet.js';
import type { MediaServer } from '../server-setup/media-server.js';
import type { TurnRelay } from '../server-setup/turn/turn-relay.js';
import type { Sink } from '../store/sink.js';

/** Time as the conductor sees it, so that simulated runs need none. `sleep` rejects when the signal aborts. */
export interface Clock {
  nowMs(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** How far the wall clock has been set since the start, beside what passed; absent where nobody can set it. */
  steppedMs?(): number;
}

/** Where what one trial gives goes. */
type TrialSink = Pick<Sink, 'writeSamples' | 'writeReadings' | 'writeArtifacts' | 'writeTrial'>;

/** Everything one trial is conducted with; calibrating and benches, whose trials belong to no run, have no more. */
export interface TrialParts {
  readonly server: MediaServer;
  /** The one way from the probes to the media server; absent: they go directly. */
  readonly relay?: TurnRelay;
  /** Impaired networks between the probes and the media server; absent: the host's own. */
  readonly networks?: Networks;
  /** What pages of metrics have told since the last call; absent where none was asked for. */
  readonly readScraped?: () => Promise<readonly ScrapedReading[]>;
  readonly startFleet: (options: FleetOptions, listener: FleetListener) => Fleet;
  readonly sinks: readonly TrialSink[];
  readonly clock: Clock;
  readonly chromium: Pick<Manifest['chromium'], 'path'>;
  /** Absolute path of the folder in which recordings are kept. */
  readonly runDirectory: string;
  readonly listener: RunListener;
  /** Sentences about what else is at work on the probe host, asked before each trial; absent where nobody looks. */
  readonly othersOnHost?: () => Promise<readonly string[]>;
}

/** Everything that conducts a run: `cli/wiring/wiring.ts` gives real parts, tests and `simulate` fakes. */
export interface Parts extends TrialParts {
  readonly sinks: readonly Sink[];
  readonly host: HostFacts;
  readonly chromium: Manifest['chromium'];
  readonly loadlineVersion: string;
  readonly command: readonly string[];
  /** What the user calls the run; absent: nothing. */
  readonly labels?: Pick<Manifest, 'tags' | 'labels' | 'hostType'>;
}
