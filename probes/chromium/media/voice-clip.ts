import { seededRandom } from '../../../model/seeded-random.js';

const sampleRate = 48_000;
const headerBytes = 44;
const seconds = 8;

/** Formants of five vowels, Hz (means for men, Peterson and Barney 1952). */
const vowels: readonly (readonly [number, number, number])[] = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [270, 2290, 3010],
  [570, 840, 2410],
  [300, 870, 2240],
];

/**
 * The fake microphone: eight seconds of synthetic speech, 48 kHz mono. A pulse train with a wandering pitch and some
 * breath goes through three formant filters that change with each syllable (about 4 a second), so that Opus takes it
 * for speech and spends its whole rate. It never falls silent: the received audio level shows that sound arrives.
 */
export function voiceClip(): Buffer {
  const samples = normalise(speak(seconds * sampleRate));
  const wav = Buffer.alloc(headerBytes + samples.length * 2);
  writeHeader(wav);
  samples.forEach((value, index) => {
    wav.writeInt16LE(Math.round(value * 32_767), headerBytes + index * 2);
  });
  return wav;
}

export const voiceClipBytes: number = headerBytes + seconds * sampleRate * 2;

function speak(length: number): Float64Array {
  const random = seededRandom(7);
  const out = new Float64Array(length);
  const syllableLength = sampleRate / 4;
  let phase = 0;
  for (let start = 0; start < length; start += syllableLength) {
    const vowel = vowels[Math.floor(random() * vowels.length)] ?? [500, 1500, 2500];
    const filters = vowel.map((frequency) => resonator(frequency, 60 + frequency * 0.05));
    const pitch = 95 + random() * 60;
    const breath = 0.4 + random() * 1.6;
    for (let offset = 0; offset < syllableLength && start + offset < length; offset += 1) {
      const place = offset / syllableLength;
      phase += (pitch * (1.1 - 0.2 * place)) / sampleRate;
      const pulse = phase >= 1 ? 1 : 0;
      phase -= pulse;
      const source = pulse * 12 + (random() - 0.5) * breath;
      const loudness = 0.12 + 0.88 * Math.sin(Math.PI * place) ** 2;
      out[start + offset] = loudness * filters.reduce((sum, filter) => sum + filter(source), 0);
    }
  }
  return out;
}

/** A two-pole resonator (as in formant synthesis, Klatt 1980). */
function resonator(frequency: number, bandwidth: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * bandwidth) / sampleRate);
  const c1 = 2 * radius * Math.cos((2 * Math.PI * frequency) / sampleRate);
  const c2 = -radius * radius;
  const gain = 1 - c1 - c2;
  let [last, beforeLast] = [0, 0];
  return (input) => {
    const output = gain * input + c1 * last + c2 * beforeLast;
    beforeLast = last;
    last = output;
    return output;
  };
}

function normalise(samples: Float64Array): Float64Array {
  const peak = samples.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return samples.map((value) => (value / peak) * 0.5);
}

/** RIFF/WAVE, PCM, one channel, 16 bits. */
function writeHeader(wav: Buffer): void {
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(wav.length - headerBytes, 40);
}
