import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { Evidence } from '../../model/evidence.js';
import type { Answer, Manifest, RunResult } from '../../model/run.js';
import type { RunEvent } from '../../model/run-event.js';
import type { Sample } from '../../model/sample.js';
import { lineOfSample } from '../../model/sample-line.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Sink } from '../sink.js';
import { ArtifactFiles, sealOfArtifacts } from './artifact-files.js';
import { CompressedLines } from './compressed-lines.js';
import { DurableLines, writeWhole } from './durable-lines.js';
import { EventLog } from './event-log.js';
import { evidenceFile, layout, samplesFile } from './layout.js';
import { type OpenSeal, openSeal } from './open-seal.js';
import { sealed } from './seal.js';
import { storeError } from './store-error.js';

/**
 * The run directory, the truth about a run. At any moment, killed or not, what is on disk reads back: records are
 * synced line by line, whole files are renamed into place, samples and evidence are flushed each second.
 * Each record is sealed with what it rests on and with all records before it.
 * Failures of the disk reject `open`, `writeTrial`, `writeAnswer` with E_OUT or E_DISK_FULL, and nothing else does.
 */
export function runDirectorySink(directory: string): Sink {
  return new RunDirectorySink(directory);
}

class RunDirectorySink implements Sink {
  readonly description: string;
  private trials: DurableLines | undefined;
  private events: EventLog | undefined;
  private seal: OpenSeal | undefined;
  private samples: { readonly trialIndex: number; readonly lines: CompressedLines } | undefined;
  private readonly artifacts: ArtifactFiles;

  constructor(private readonly directory: string) {
    this.artifacts = new ArtifactFiles(directory);
    this.description = `run directory ${directory}`;
  }

  async open(manifest: Manifest): Promise<void> {
    await this.guarded('the manifest', async () => {
      // A run that is resumed has no answer until it ends again.
      await rm(this.at(layout.result), { force: true });
      // Before the manifest, which makes a folder a run: a run without its trials was changed.
      this.trials = await DurableLines.open(this.at(layout.trials));
      this.seal = await openSeal(this.directory, manifest);
      await writeWhole(this.at(layout.manifest), this.seal.manifest);
      this.events = new EventLog(this.at(layout.events));
    });
  }

  writeEvent(event: RunEvent): void {
    this.events?.write(event);
  }

  writeSamples(trialIndex: number, samples: readonly Sample[]): void {
    this.samplesOf(trialIndex).write(samples, lineOfSample);
  }

  writeArtifacts(trialIndex: number, artifacts: ProbeArtifacts): void {
    this.artifacts.write(trialIndex, artifacts);
  }

  async writeTrial(record: TrialRecord, evidence: Evidence): Promise<void> {
    await this.guarded(`trial ${record.index}`, async () => {
      const lines = this.samplesOf(record.index);
      const [evidenceDigest] = await Promise.all([
        this.writeEvidence(record.index, evidence),
        this.closeSamples(),
        this.artifacts.settled(),
      ]);
      const artifacts = await sealOfArtifacts(this.directory, record.index);
      const { trials, seal } = this;
      if (!trials || !seal) throw new Error('the run directory is not open');
      const stored = { ...record, samplesFile: samplesFile(record.index) };
      const digests = { samples: lines.digest(), evidence: evidenceDigest, ...(artifacts ? { artifacts } : {}) };
      await trials.appendPieces(seal.chain.sealed(stored, { manifest: seal.manifest.seal.digest, ...digests }));
    });
  }

  async writeAnswer(_answer: Answer, result: RunResult): Promise<void> {
    await this.guarded('the result', async () => {
      const { seal } = this;
      if (!seal) throw new Error('the run directory is not open');
      const { trials, head } = seal.chain;
      const facts = { manifest: seal.manifest.seal.digest, trials, chain: head };
      await writeWhole(this.at(layout.result), sealed(result, facts));
    });
  }

  /** Never rejects: what could not be written was told by the write. */
  async close(): Promise<void> {
    await this.closeSamples().catch(() => undefined);
    await this.artifacts.settled();
    await this.events?.close();
    await this.trials?.close().catch(() => undefined);
    this.trials = undefined;
    this.events = undefined;
  }

  private samplesOf(trialIndex: number): CompressedLines {
    if (this.samples?.trialIndex !== trialIndex) {
      const earlier = this.samples?.lines;
      earlier?.close().catch(() => undefined);
      this.samples = { trialIndex, lines: new CompressedLines(this.at(samplesFile(trialIndex))) };
    }
    return this.samples.lines;
  }

  private async closeSamples(): Promise<void> {
    const lines = this.samples?.lines;
    this.samples = undefined;
    await lines?.close();
  }

  private async writeEvidence(trialIndex: number, evidence: Evidence): Promise<string> {
    const lines = new CompressedLines(this.at(evidenceFile(trialIndex)));
    lines.write(evidence.probeHost.map((reading) => ({ of: 'probe-host', ...reading })));
    lines.write(evidence.server.map((reading) => ({ of: 'server', ...reading })));
    lines.write((evidence.turn ?? []).map((reading) => ({ of: 'turn', ...reading })));
    lines.write((evidence.scraped ?? []).map((reading) => ({ of: 'scraped', ...reading })));
    await lines.close();
    return lines.digest();
  }

  private at(relative: string): string {
    return join(this.directory, relative);
  }

  private async guarded(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw storeError(error, this.directory, `${what} could not be written`);
    }
  }
}
