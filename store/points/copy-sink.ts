import type { Evidence } from '../../model/evidence.js';
import { hostOf, type ProbeHostId } from '../../model/probe-host.js';
import type { Answer, Manifest, RunResult } from '../../model/run.js';
import type { RunEvent } from '../../model/run-event.js';
import type { Sample } from '../../model/sample.js';
import { type Participant, participantsOf, type Scenario } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Sink } from '../sink.js';
import type { DataPoint, Tags } from './data-point.js';
import { accountText, type PointSink } from './point-sink.js';
import { answerPoints, runStartPoint, runTags, trialTags } from './run-points.js';
import { evidencePoints, samplePoints, type ToldMs } from './sample-points.js';
import { eventPoint, trialPoints } from './trial-points.js';

interface CopyOptions {
  readonly to: PointSink;
  /** The name of the run directory: the tag `run`. */
  readonly run: string;
  readonly scenario: Scenario;
  /** The command that sends the run again: `loadline export RUN --influx URL`. */
  readonly again: string;
}

/**
 * A copy of a run, in points, while it goes on. Nothing in it waits for the other side but `close`, and nothing
 * rejects: what is not taken is counted, and `loadline export` sends the whole run again from its directory.
 */
export function copySink(options: CopyOptions): Sink {
  return new CopySink(options);
}

interface TrialNow {
  readonly tags: Tags;
  readonly size: number;
  readonly people: ReadonlyMap<string, Participant>;
  /** Events told so far: the place of an event is part of its time. */
  events: number;
  /** Readings sent, by machine and time. */
  readonly read: Set<string>;
  readonly toldMs: ToldMs;
}

class CopySink implements Sink {
  readonly description: string;
  readonly isCopy = true;
  private tags: Tags = {};
  private manifest: Pick<Manifest, 'startedAt' | 'resumedAfter'> = { startedAt: '' };
  private trial: TrialNow | undefined;
  /** The end of the last trial, or the start of a run that has none. */
  private lastMs = 0;

  constructor(private readonly options: CopyOptions) {
    this.description = options.to.description;
  }

  async open(manifest: Manifest): Promise<void> {
    this.tags = runTags(this.options.run, manifest);
    this.manifest = manifest;
    this.lastMs = Date.parse(manifest.startedAt);
    this.send([runStartPoint(this.tags, manifest)]);
  }

  writeEvent(event: RunEvent): void {
    if (event.type === 'run-started') this.lastMs = event.past?.at(-1)?.endedAtMs ?? this.lastMs;
    if (event.type === 'trial-started') this.begin(event.index, event.size);
    if (event.type !== 'trial-event' || !this.trial) return;
    this.send([eventPoint(this.trial.tags, this.trial.size, event.event, this.trial.events)]);
    this.trial.events += 1;
  }

  writeSamples(trialIndex: number, samples: readonly Sample[]): void {
    const tags = this.tagsOf(trialIndex);
    const whoIs = (probe: string) => this.trial?.people.get(probe);
    for (const sample of samples) this.send(samplePoints(tags, whoIs, sample));
  }

  writeReadings(_trialIndex: number, latest: Evidence): void {
    const { trial } = this;
    if (!trial) return;
    const isNew = (machine: string) => (reading: { readonly atMs: number; readonly host?: ProbeHostId }) => {
      const key = `${machine} ${hostOf(reading)} ${reading.atMs}`;
      if (trial.read.has(key)) return false;
      trial.read.add(key);
      return true;
    };
    const probeHost = latest.probeHost.filter(isNew('probe host'));
    const server = latest.server.filter(isNew('server'));
    const turn = (latest.turn ?? []).filter(isNew('TURN server'));
    const scraped = (latest.scraped ?? []).filter((reading) => isNew(`page ${reading.source}`)(reading));
    this.send(evidencePoints(trial.tags, { probeHost, server, turn, scraped }, trial.toldMs));
  }

  async writeTrial(record: TrialRecord, evidence: Evidence): Promise<void> {
    this.writeReadings(record.index, evidence);
    this.send(trialPoints(this.tagsOf(record.index), record));
    this.lastMs = record.endedAtMs;
  }

  async writeAnswer(_answer: Answer, result: RunResult): Promise<void> {
    this.send(answerPoints(this.tags, result, this.manifest.startedAt, this.lastMs));
  }

  account(): string {
    return accountText(this.options.to, this.options.again);
  }

  async close(): Promise<void> {
    await this.options.to.close();
  }

  private begin(index: number, size: number): void {
    const people = participantsOf(this.options.scenario.sessions(size)).map((one) => [one.id, one] as const);
    const kept = { people: new Map(people), events: 0, read: new Set<string>(), toldMs: new Map() };
    this.trial = { tags: this.tagsOf(index), size, ...kept };
  }

  private tagsOf(index: number): Tags {
    return trialTags(this.tags, index, this.manifest);
  }

  private send(points: readonly DataPoint[]): void {
    this.options.to.add(points);
  }
}
