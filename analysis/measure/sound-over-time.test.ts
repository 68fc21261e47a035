import { expect, test } from '@playwright/test';
import type { ReceiveStreamSample } from '../../model/sample.js';
import { LossScan } from './loss.js';
import { ReadingFold } from './reading-fold.js';
import { receiveAggregates } from './receive-stream.js';

type Metrics = ReceiveStreamSample['metrics'];

/** What a window of such seconds says of a received stream. */
function valuesOf(kind: 'audio' | 'video', seconds: readonly Metrics[]) {
  const fold = new ReadingFold({ direction: 'receive', kind }, seconds.length);
  for (const [nth, metrics] of seconds.entries())
    fold.add({
      ...{ atMs: 1000 * (nth + 1), intervalMs: 1000 },
      stream: { leg: '1a', direction: 'receive', kind, metrics },
    });
  return receiveAggregates(fold, kind, new LossScan());
}

const sound = (concealedSamples: number, more: Metrics = {}): Metrics => ({
  ...{ bytesReceived: 5000, totalSamples: 48_000, concealedSamples },
  ...{ concealmentEvents: concealedSamples > 0 ? 1 : 0, ...more },
});

test('a second counts as broken from more than a twentieth of it on, however the rest of the window sounds', () => {
  const seconds = [0, 2400, 2401, 48_000, 0, 0, 0, 0, 0, 0].map((concealed) => sound(concealed));
  expect(valuesOf('audio', seconds).concealedSecondsPercent).toBe(20);
  expect(valuesOf('audio', seconds.slice(4)).concealedSecondsPercent).toBe(0);
});

test('what was slowed and hurried is told together, and of who plays nothing neither is', () => {
  const stretched = sound(0, { insertedSamples: 480, removedSamples: 240 });
  expect(valuesOf('audio', [stretched, sound(0, { insertedSamples: 0, removedSamples: 240 })]).stretchedPercent).toBe(
    1,
  );
  const silent = valuesOf('audio', [{ bytesReceived: 5000, packetsReceived: 50 }]);
  expect([silent.stretchedPercent, silent.concealedSecondsPercent]).toEqual([undefined, undefined]);
});

test('sound that is early and sound that is late are as far from its pictures', () => {
  const played = (laterMs: number): Metrics => ({ framesDecoded: 30, soundPlayedLaterMs: laterMs });
  expect(valuesOf('video', [played(-90), played(20), played(-90)]).playedApartP95Ms).toBe(90);
  expect(valuesOf('video', [played(120), played(120)]).playedApartP95Ms).toBe(120);
  expect(valuesOf('video', [{ framesDecoded: 30 }]).playedApartP95Ms).toBeUndefined();
});
