import { createWriteStream, type WriteStream } from 'node:fs';
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
import { visitJsonLines } from './json-lines.js';
import { evidenceFile, layout, samplesFile } from './layout.js';
import { SealChain, sealed, sealFacts, unsealed } from './seal.js';
import { smallText, undefinedWhenUnread } from './small-file.js';
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

/**
 * `events.jsonl`: what happened, as it happened, so that a killed run can be understood. A help, not the truth: a line
 * that cannot be written is left out, because the same disk will refuse the trial's record and say so.
 */
class EventLog {
  private readonly stream: WriteStream;
  private failed = false;

  constructor(path: string) {
    this.stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    this.stream.on('error', () => {
      this.failed = true;
    });
  }

  write(event: RunEvent): void {
    const line = asLine(event);
    if (line !== undefined && !this.failed) this.stream.write(`${JSON.stringify(line)}\n`);
  }

  async close(): Promise<void> {
    if (this.failed || this.stream.closed) return;
    await new Promise<void>((resolve) => {
      this.stream.once('close', resolve);
      this.stream.end();
    });
  }
}

/** Without the seconds, which the samples have, and without copies of the manifest, the records and the result. */
function asLine(event: RunEvent): object | undefined {
  switch (event.type) {
    case 'second':
      return undefined;
    case 'run-started':
      return { type: event.type, startedAt: event.manifest.startedAt };
    case 'trial-ended': {
      const { index, size, endedAtMs, verdict } = event.record;
      return { type: event.type, index, size, endedAtMs, verdict: verdict.kind, bracket: event.bracket };
    }
    case 'run-ended':
      return { type: event.type, answer: event.answer };
    default:
      return event;
  }
}

/** What the trials that come are sealed with. */
interface OpenSeal {
  /** As it is to be written. */
  readonly manifest: Manifest & { readonly seal: { readonly digest: string } };
  readonly chain: SealChain;
}

/**
 * Begins the seal of a run, or goes on with that of a run that is resumed: its manifest may be another now, and the
 * seal then names the ones before. Trials of before runs were sealed are counted, so that none of later can pass for
 * one. Throws E_RUN for a run that was changed.
 */
async function openSeal(directory: string, manifest: Manifest): Promise<OpenSeal> {
  const chain = new SealChain();
  await visitJsonLines(join(directory, layout.trials), (value) => chain.read(value, layout.trials));
  const text = await smallText(join(directory, layout.manifest)).catch(undefinedWhenUnread);
  const before = text === undefined ? undefined : unsealed(JSON.parse(text), sealFacts.manifest, layout.manifest).seal;
  const facts = before
    ? { earlier: before.earlier, unsealedTrials: before.unsealedTrials }
    : { earlier: [], unsealedTrials: chain.trials };
  const same = sealed(manifest, facts);
  if (!before || same.seal.digest === before.digest) return { manifest: same, chain };
  return { manifest: sealed(manifest, { ...facts, earlier: [...before.earlier, before.digest] }), chain };
}
