import { setMaxListeners } from 'node:events';
import type { Sample } from '../model/sample.js';
import type { Participant } from '../model/scenario.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions } from '../probes/fleet.js';
import { ProbeLedger } from '../probes/ledger/probe-ledger.js';

/** A host's own fleet, whose probes are up as soon as the media server has answered, and measure what the test says. */
export class ScriptedFleet implements Fleet {
  joined: readonly Participant[] = [];
  isClosed = false;
  private ledger: ProbeLedger | undefined;

  constructor(
    readonly options: FleetOptions,
    private readonly listener: FleetListener,
    private readonly now: () => number,
    /** By its name in casts. */
    readonly player = 'browsers',
  ) {}

  async join(participants: readonly Participant[], { begin, negotiate, begins, signal }: JoinOptions): Promise<void> {
    this.joined = participants;
    // Whoever signals for one of many listens for the end.
    setMaxListeners(0, signal);
    const { host } = this.options;
    const places = participants.map(() => ({
      ...(host === undefined ? {} : { host }),
      ...(this.player === 'native' ? { native: true as const } : {}),
      browser: 0,
      page: 0,
    }));
    const ledger = new ProbeLedger(participants, places, (event) => this.listener.onEvent(event));
    this.ledger = ledger;
    await begins?.();
    await Promise.all(
      participants.map(async (participant) => {
        for (const leg of participant.legs) {
          const request = { participant, leg, onCandidate: () => undefined, signal };
          try {
            const first = await begin?.({ ...request, renegotiate: async ({ offer }) => `answer to ${offer}` });
            if (first?.by === 'server') await first.answer(`answer to ${first.offer}`);
            else await negotiate({ ...request, offer: `offer of ${participant.id}` });
          } catch (error) {
            const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
            ledger.failed({ probe: participant.id, code: 'refused', atMs: this.now(), detail });
          }
        }
        ledger.up(participant.id, this.now());
      }),
    );
  }

  /** One second of each of its probes. */
  measure(second: number, streams: Sample['streams'] = []): void {
    const { host = '' } = this.options;
    this.listener.onSamples(this.joined.map(({ id }) => ({ ...aSample(id, host, second), streams })));
  }

  hosts() {
    return [];
  }

  records() {
    return this.ledger?.records() ?? [];
  }

  async readHosts() {
    const { host = '' } = this.options;
    const idle = { cores: 2, busyCores: 0, stealCores: 0, probeCores: 0, memoryAvailableMb: 1000 };
    return [{ host, atMs: this.now(), ...idle }];
  }

  async leave() {}

  async close() {
    this.isClosed = true;
    for (const probe of this.ledger?.unsettled() ?? []) {
      this.ledger?.failed({
        probe,
        code: 'aborted',
        atMs: this.now(),
        detail: 'the trial ended before this probe was up',
      });
    }
  }
}

export function aSample(probe: string, host: string, second: number): Sample {
  return { probe, host, atMs: second * 1000, intervalMs: 1000, lateMs: 0, legs: [], streams: [] };
}
