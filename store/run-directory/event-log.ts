import { createWriteStream, type WriteStream } from 'node:fs';
import type { RunEvent } from '../../model/run-event.js';

/**
 * `events.jsonl`: what happened, as it happened, so that a killed run can be understood. A help, not the truth: a line
 * that cannot be written is left out, because the same disk will refuse the trial's record and say so.
 */
export class EventLog {
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
