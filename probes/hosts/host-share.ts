import { mostAppValues } from '../../model/app-value.js';
import { mostArtifacts } from '../../model/artifacts.js';
import { type Participant, receivedStreams } from '../../model/scenario.js';
import type { Batch } from './host-messages.js';

/** Of a trial a host tells so many events, and so many more for each of its probes. */
const mostEvents = 2_000;
const mostOfProbe = 200;
/** A probe is sampled once a second, and a host is read so; what waited while the way was cut comes at once. */
const perSecond = 2;
const atOnce = 300;
/** Records, events and what is kept of failed probes. */
const baseLength = 64_000_000;
const lengthOfProbe = 64_000;
/** Of each sample; a stream takes some 650, and a page that is visited has more of them than its participant. */
const lengthOfSample = 16_000;
const lengthOfStream = 2_000;

type Count = 'characters' | 'samples' | 'readings' | 'events' | 'values';

/**
 * How much one host can honestly tell of a trial: by who plays on it, and for how long by now. One that tells without
 * end would fill the memory and the disk of who conducts.
 */
export class HostShare {
  private readonly told: Record<Count, number> = { characters: 0, samples: 0, readings: 0, events: 0, values: 0 };
  private readonly lengthPerSecond: number;
  private artifacts = 0;
  private nextNumber = 1;

  constructor(
    private readonly participants: readonly Participant[],
    private readonly beganMs: number,
  ) {
    const legs = participants.flatMap((one) => one.legs);
    const streams = legs.reduce((sum, leg) => sum + leg.sends.length + receivedStreams(leg).length, 0);
    this.lengthPerSecond = perSecond * (participants.length * lengthOfSample + streams * lengthOfStream);
  }

  /** A sentence part where this batch is too much. */
  excess({ number, told, length }: Batch, nowMs: number): string | undefined {
    const now = this.told;
    now.characters += length;
    // A gap is told as an event.
    if (number !== this.nextNumber) now.events += 1;
    this.nextNumber = number + 1;
    for (const one of told) {
      if (one.is === 'samples') now.samples += one.samples.length;
      else if (one.is === 'readings') now.readings += one.readings.length;
      else if (one.is === 'event' && one.event.type === 'app-value') now.values += 1;
      else if (one.is === 'event' || one.is === 'dropped') now.events += 1;
    }
    const most = this.most((nowMs - this.beganMs) / 1000);
    const names: readonly Count[] = ['samples', 'readings', 'events', 'values', 'characters'];
    const past = names.find((name) => now[name] > most[name]);
    if (past === undefined) return undefined;
    return `it told more than a host has to tell of a trial: ${now[past]} ${past}, where ${most[past]} are the most by now`;
  }

  /** Of what it kept of failed probes no more is taken. */
  takesArtifacts(): boolean {
    this.artifacts += 1;
    return this.artifacts <= mostArtifacts;
  }

  private most(seconds: number): Readonly<Record<Count, number>> {
    const { length: probes } = this.participants;
    const readings = Math.ceil(atOnce + perSecond * seconds);
    return {
      samples: probes * readings,
      readings,
      events: mostEvents + mostOfProbe * probes,
      values: mostAppValues * probes,
      characters: Math.ceil(baseLength + lengthOfProbe * probes + this.lengthPerSecond * seconds),
    };
  }
}
