import type { Cast } from '../../model/cast.js';
import { marksOf } from '../../model/probe-kinds.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeFailure, ProbeRecord } from '../../model/trial.js';
import type { HostRecord } from './host-messages.js';

/** The records of the probes of one host, as it tells them and as they must be by what it was told. */
export class RecordsOfHost {
  /** How often one of them has changed. */
  changes = 0;
  readonly #records: Map<string, ProbeRecord>;
  readonly #failures = new Map<string, ProbeFailure>();
  /** Who was told to leave while others come, and when, by the host's clock. */
  readonly #leftMs = new Map<string, number>();
  readonly #host: string;

  constructor(host: string, participants: readonly Participant[], cast: Cast) {
    this.#host = host;
    this.#records = new Map(
      participants.map((participant) => {
        const marks = marksOf(cast.get(participant.id));
        return [
          participant.id,
          { participant, host, browser: 0, page: 0, ...marks, up: false, join: {}, failures: [] },
        ];
      }),
    );
  }

  of(probe: string): ProbeRecord | undefined {
    return this.#records.get(probe);
  }

  isOwn(probe: string): boolean {
    return this.#records.has(probe);
  }

  /** Who was told to leave goes on until the order arrives, alone perhaps: that is no part of its stay. */
  isOfStay({ probe, host, atMs }: Sample): boolean {
    return host === this.#host && this.isOwn(probe) && atMs <= (this.#leftMs.get(probe) ?? Number.POSITIVE_INFINITY);
  }

  /** These were told to leave. */
  hangUp(probes: readonly string[], outMs: number): void {
    this.changes += 1;
    for (const probe of probes) {
      this.#leftMs.set(probe, outMs);
      const record = this.#records.get(probe);
      if (record) this.#records.set(probe, { ...record, ...this.#stayOf(probe, record) });
    }
  }

  hear({ probe, ...told }: HostRecord): void {
    const known = this.#records.get(probe);
    if (!known) return;
    this.changes += 1;
    const failures = told.failures.filter((one) => one.probe === probe).map((failure) => this.theFailure(failure));
    const { participant } = known;
    this.#records.set(probe, { ...told, ...this.#stayOf(probe, told), participant, host: this.#host, failures });
  }

  /** A failure is told as an event and in the record: both are the one object, so that its time is set right once. */
  theFailure(failure: ProbeFailure): ProbeFailure {
    const known = this.#failures.get(failure.probe);
    if (known) return known;
    this.#failures.set(failure.probe, failure);
    return failure;
  }

  /** All but those who left by then: nobody knows what they did since the last word of a host that is lost. */
  there(): readonly string[] {
    return [...this.#records.keys()].filter((probe) => !this.#leftMs.has(probe));
  }

  /** These fail with their host: the failures of those that had none. */
  fail(probes: readonly string[], why: Omit<ProbeFailure, 'probe'>): readonly ProbeFailure[] {
    this.changes += 1;
    return probes.flatMap((probe) => {
      const record = this.#records.get(probe);
      if (!record || record.failures.length > 0) return [];
      const failure = this.theFailure({ probe, ...why });
      this.#records.set(probe, { ...record, failures: [failure] });
      return [failure];
    });
  }

  /** That it was told to leave is known before the host says that it has. */
  #stayOf(probe: string, { there }: Pick<ProbeRecord, 'there'>): Pick<ProbeRecord, 'there'> {
    const untilMs = this.#leftMs.get(probe);
    return there && untilMs !== undefined ? { there: { ...there, untilMs } } : {};
  }
}
