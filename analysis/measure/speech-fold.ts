import { type Speech, Voice } from '../../model/speech.js';
import { metricsOf, percentOf, type StreamReading } from './stream-reading.js';

/** Of less speech no level is told: what was said at the edge of a second came in the next. */
const leastSpokenMs = 1000;

/** How much of the time the sender of a sound speaks, by its pattern, and how loud that is. */
export class SpeechFold {
  private readonly voice: Voice;
  private readonly ms = { spoken: 0, all: 0 };
  private readonly level = { sum: 0, spokenMs: 0 };

  constructor(speech: Speech) {
    // Whoever judges goes by the conductor's clock, to which all times were set.
    this.voice = new Voice({ ...speech, aheadMs: 0 });
  }

  add(reading: StreamReading): void {
    const { atMs, intervalMs } = reading;
    const spokenMs = this.voice.spokenMs(atMs - intervalMs, atMs);
    this.ms.spoken += spokenMs;
    this.ms.all += intervalMs;
    const { audioLevel: level } = metricsOf(reading);
    if (level === undefined) return;
    this.level.sum += level * spokenMs;
    this.level.spokenMs += spokenMs;
  }

  /** `audioLevel`: the mean of the seconds, each as much as is spoken in it. */
  values() {
    const { sum, spokenMs } = this.level;
    return {
      spokenPercent: percentOf(this.ms.spoken, this.ms.all),
      audioLevel: spokenMs < leastSpokenMs ? undefined : sum / spokenMs,
    };
  }
}
