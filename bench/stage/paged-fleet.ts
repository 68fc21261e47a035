import { mediaSchema } from '../../model/plan.js';
import { localHostId, type ProbeHost, type ProbeHostId } from '../../model/probe-host.js';
import type { Sample, StreamSample } from '../../model/sample.js';
import { sampleOfLine } from '../../model/sample-line.js';
import type { Participant } from '../../model/scenario.js';
import type { Fleet, FleetListener, JoinOptions, StartFleet } from '../../probes/fleet.js';
import { ProbeLedger } from '../../probes/ledger/probe-ledger.js';
import { simulatedSample } from '../../simulation/simulated-samples.js';
import { randomFrom } from '../../tests/random.js';
import type { Clock } from '../../trial/parts.js';

const probesPerPage = 16;
const untouched = { arrivingShare: 1, lossShare: 0, frozenMs: 0, jitterMs: 4, rttMs: 12 };
const join = { answerMs: 100, iceConnectedMs: 150, dtlsConnectedMs: 200, firstFrameMs: 300 };
/** Samples of probes that are long up, two of each page in turn, so that values differ from second to second. */
const variants = 2;

/**
 * Probes that are up at once and whose pages tell their samples as text, spread over the second as real pages do: what
 * a conductor does with them is the real thing, and making them costs next to nothing.
 */
export function pagedFleets(clock: Clock, onSamples: (count: number) => void): StartFleet {
  return ({ host = localHostId }, listener) => new PagedFleet(clock, host, listener, onSamples);
}

class PagedFleet implements Fleet {
  private ledger: ProbeLedger | undefined;
  private readonly gone = new AbortController();
  private ticking: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly host: ProbeHostId,
    private readonly listener: FleetListener,
    private readonly onSamples: (count: number) => void,
  ) {}

  async join(participants: readonly Participant[], { begins }: JoinOptions): Promise<void> {
    await begins?.();
    const places = participants.map((_, index) => ({ browser: 0, page: Math.floor(index / probesPerPage) }));
    const ledger = new ProbeLedger(participants, places, () => undefined);
    this.ledger = ledger;
    for (const { id } of participants) {
      ledger.reached(id, join);
      ledger.up(id, this.clock.nowMs());
    }
    this.ticking = this.tick(pagesOf(participants, this.host));
  }

  hosts(): readonly ProbeHost[] {
    return [{ id: this.host, besideConductor: true }];
  }

  records() {
    return this.ledger?.records() ?? [];
  }

  async readHosts() {
    const quiet = { cores: 8, busyCores: 2, stealCores: 0, probeCores: 2, memoryAvailableMb: 16_000 };
    return [{ host: this.host, atMs: this.clock.nowMs(), ...quiet }];
  }

  async leave(): Promise<void> {
    this.gone.abort();
    await this.ticking;
  }

  close(): Promise<void> {
    return this.leave();
  }

  private async tick(pages: readonly (readonly string[])[]): Promise<void> {
    const { signal } = this.gone;
    for (let second = 1; !signal.aborted; second += 1) {
      const beganMs = this.clock.nowMs();
      for (const [index, page] of pages.entries()) {
        const dueMs = beganMs + Math.round((1000 * (index + 1)) / pages.length);
        if (dueMs > this.clock.nowMs()) {
          await this.clock.sleep(dueMs - this.clock.nowMs(), signal).catch(() => undefined);
          if (signal.aborted) return;
        }
        const text = (page[second % variants] ?? '').replaceAll('"atMs":0', `"atMs":${this.clock.nowMs()}`);
        const samples = text.split('\n').map(sampleOfLine);
        this.onSamples(samples.length);
        this.listener.onSamples(samples);
      }
    }
  }
}

/** Of each page what it tells, some seconds in turn. */
function pagesOf(participants: readonly Participant[], host: ProbeHostId): readonly (readonly string[])[] {
  const media = mediaSchema.parse({});
  const random = randomFrom(5);
  const sampleOf = (participant: Participant) => {
    const conditions = { ...untouched, jitterMs: 4 + random() };
    const second = { host, atMs: 0, ageMs: 60_000, noise: random(), overloaded: false, conditions };
    return withDigits(simulatedSample(participant, media, second), random);
  };
  const pages = Math.ceil(participants.length / probesPerPage);
  return Array.from({ length: pages }, (_, page) => {
    const members = participants.slice(page * probesPerPage, (page + 1) * probesPerPage);
    return Array.from({ length: variants }, () => members.map((member) => lineOf(sampleOf(member))).join('\n'));
  });
}

/** As pages and their host write it (model/sample-line.ts). */
const lineOf = ({ host, atMs, ...sample }: Sample) => JSON.stringify({ host, atMs, ...sample });

/** Real numbers have more digits than simulated ones: compressing and storing them takes longer. */
function withDigits(sample: Sample, random: () => number): Sample {
  const near = (value: number) => (value > 1000 ? Math.round(value * (0.99 + 0.02 * random())) : value);
  const spread = (name: string, value: number) => (name.endsWith('Ms') ? value + random() / 100 : near(value));
  return {
    ...sample,
    intervalMs: 999 + random(),
    lateMs: random(),
    streams: sample.streams.map((stream) => {
      const metrics = Object.fromEntries(
        Object.entries(stream.metrics).map(([name, value]) => [name, spread(name, value)]),
      );
      return { ...stream, metrics } as StreamSample;
    }),
  };
}
