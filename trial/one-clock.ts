import { byOneClock } from '../model/clock-times.js';
import type { ArrivedJoin } from '../model/join.js';
import type { HostClock, ProbeHost, ProbeHostId } from '../model/probe-host.js';
import { hostOf } from '../model/probe-host.js';
import type { Sample } from '../model/sample.js';
import { sampleAt } from '../model/sample-line.js';
import type { FleetEvent, ProbeFailure, ProbeRecord } from '../model/trial.js';
import type { ComingOptions, Fleet, FleetListener, StartFleet } from '../probes/fleet.js';

/**
 * Fleets whose every time is the conductor's. The one place where the clocks of hosts are set right: what a host tells
 * is on its own clock before, and on the conductor's after, in memory, in every sink and in the record.
 *
 * A host that names no clock goes by the conductor's.
 */
export function onOneClock(startFleet: StartFleet): StartFleet {
  return (options, listener) => {
    const clocks = new HostClocks(() => fleet);
    const told: FleetListener = {
      onSamples: (samples) => listener.onSamples(clocks.samples(samples)),
      onEvent: (event) => listener.onEvent(clocks.event(event)),
      onArtifacts: (artifacts) => listener.onArtifacts?.(clocks.ours(artifacts)),
    };
    const fleet: Fleet = startFleet(options, told);
    const coming = ({ arriving, ...join }: ComingOptions): ComingOptions => {
      const onJoin = (joined: ArrivedJoin) => arriving.onJoin(clocks.join(joined));
      return { ...join, arriving: { ...arriving, onJoin } };
    };
    return {
      join: (participants, { arriving, ...join }) =>
        fleet.join(participants, arriving ? coming({ ...join, arriving }) : join),
      standBy: async (participants, join) => fleet.standBy?.(participants, coming(join)),
      hosts: () => clocks.hosts(),
      records: () => clocks.records(fleet.records()),
      readHosts: async () => clocks.all(await fleet.readHosts()),
      leave: () => fleet.leave(),
      close: () => fleet.close(),
    };
  };
}

interface Timed {
  readonly host?: ProbeHostId;
  readonly atMs: number;
}

const joinTimes = [
  ...(['begunMs', 'createdMs', 'describedMs', 'answeredMs', 'trickledMs', 'iceMs', 'connectedMs'] as const),
  ...(['firstFrameMs', 'endedMs'] as const),
];

class HostClocks {
  /** The widest bound under which a time of each host was set right. */
  private readonly bounds = new Map<ProbeHostId, number>();
  /** A failure is told as an event and recorded: both have one time, whatever happens to the offset. */
  private readonly failures = new WeakMap<ProbeFailure, ProbeFailure>();

  /** What is added to the times of a probe's stay, which are told again and again and must not change. */
  private readonly stays = new Map<string, number>();

  private known: { readonly told: readonly ProbeRecord[]; readonly ours: readonly ProbeRecord[] } | undefined;

  constructor(private readonly fleet: () => Pick<Fleet, 'hosts' | 'clockOf' | 'markedClock'>) {}

  /** With the widest bound that each clock had so far. */
  hosts(): readonly ProbeHost[] {
    return this.fleet()
      .hosts()
      .map((host) => {
        const { id, clock } = host;
        return clock ? { ...host, clock: { ...clock, boundMs: this.widened(id, clock) } } : host;
      });
  }

  /** Of a batch each host's clock is looked up once: ten thousand samples may come in a second. */
  all<T extends Timed>(batch: readonly T[], moved: (timed: T, offsetMs: number) => T = later): readonly T[] {
    const offsets = new Map([...new Set(batch.map(hostOf))].map((host) => [host, this.offsetOf(host)]));
    return batch.map((timed) => moved(timed, offsets.get(hostOf(timed)) ?? 0));
  }

  /** Their delays, too, where these are by two clocks. */
  samples(batch: readonly Sample[]): readonly Sample[] {
    return this.all(batch, sampleLater).map((sample) =>
      byOneClock(sample, (mark) =>
        mark === undefined ? this.clockOf(hostOf(sample)) : this.fleet().markedClock?.(mark),
      ),
    );
  }

  ours<T extends Timed>(timed: T): T {
    return later(timed, this.offsetOf(hostOf(timed)));
  }

  event(event: FleetEvent): FleetEvent {
    if (event.type === 'host-lost') return event;
    if (event.type === 'probe-up') return later(event, this.offsetOfStay(event.probe, hostOf(event)));
    if (event.type !== 'probe-failed') return this.ours(event);
    const failure = this.failure(event.failure, hostOf(event));
    return { ...event, failure, atMs: failure.atMs };
  }

  /** The same list of the same one: whoever watches asks for ten thousand of them each second. */
  records(told: readonly ProbeRecord[]): readonly ProbeRecord[] {
    if (this.known?.told !== told) this.known = { told, ours: told.map((record) => this.record(record)) };
    return this.known.ours;
  }

  private record(record: ProbeRecord): ProbeRecord {
    const { failures, participant } = record;
    const host = hostOf(record);
    const offsetMs = record.there ? this.offsetOfStay(participant.id, host) : 0;
    const told = offsetMs === 0 ? record : { ...record, ...stayLater(record, offsetMs) };
    return failures.length === 0 ? told : { ...told, failures: failures.map((one) => this.failure(one, host)) };
  }

  /** All times but `dueMs`, which is on the conductor's clock already. */
  join(join: ArrivedJoin): ArrivedJoin {
    const offsetMs = join.host === undefined ? 0 : this.offsetOf(join.host);
    if (offsetMs === 0) return join;
    const times = joinTimes.flatMap((name) => {
      const atMs = join[name];
      return atMs === undefined ? [] : [[name, atMs + offsetMs] as const];
    });
    return { ...join, ...Object.fromEntries(times) };
  }

  /** Clock offset when the probe came up; fixed, because its measured span starts there. */
  private offsetOfStay(probe: string, host: ProbeHostId): number {
    const offsetMs = this.stays.get(probe) ?? this.offsetOf(host);
    this.stays.set(probe, offsetMs);
    return offsetMs;
  }

  private failure(failure: ProbeFailure, host: ProbeHostId): ProbeFailure {
    const known = this.failures.get(failure);
    if (known) return known;
    const offsetMs = failure.code === 'host-lost' ? 0 : this.offsetOf(host);
    const ours = later(failure, offsetMs);
    this.failures.set(failure, ours);
    return ours;
  }

  private offsetOf(host: ProbeHostId): number {
    const clock = this.clockOf(host);
    if (!clock) return 0;
    this.bounds.set(host, this.widened(host, clock));
    return clock.offsetMs;
  }

  private clockOf(host: ProbeHostId): HostClock | undefined {
    const fleet = this.fleet();
    return fleet.clockOf ? fleet.clockOf(host) : fleet.hosts().find(({ id }) => id === host)?.clock;
  }

  private widened(host: ProbeHostId, { boundMs }: HostClock): number {
    return Math.max(this.bounds.get(host) ?? 0, boundMs);
  }
}

function later<T extends { readonly atMs: number }>(timed: T, offsetMs: number): T {
  return offsetMs === 0 ? timed : { ...timed, atMs: timed.atMs + offsetMs };
}

function stayLater({ there }: ProbeRecord, offsetMs: number): Pick<ProbeRecord, 'there'> {
  if (!there) return {};
  const { fromMs, untilMs } = there;
  return { there: { fromMs: fromMs + offsetMs, ...(untilMs === undefined ? {} : { untilMs: untilMs + offsetMs }) } };
}

function sampleLater(sample: Sample, offsetMs: number): Sample {
  return offsetMs === 0 ? sample : sampleAt(sample.atMs + offsetMs, sample);
}
