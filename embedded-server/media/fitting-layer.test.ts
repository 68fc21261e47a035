import { expect, test } from '@playwright/test';
import { FittingLayer } from './fitting-layer.js';

const kbps = [80, 240, 650] as const;
const highest = kbps.length - 1;

/** What the link of a receiver is estimated to carry, kbit/s, after a second in which so much came to it; zero: unknown. */
type Estimate = (sentKbps: number, second: number) => number;

/** The layer that a receiver who always asks for the highest has in each second, beginning with that. */
function layersBy(
  estimate: Estimate,
  seconds: number,
  sent: (layerKbps: number, second: number) => number = (is) => is,
) {
  const fitting = new FittingLayer(highest);
  return Array.from({ length: seconds }, (_, second) => {
    const layer = fitting.most;
    const layerKbps = sent(kbps[layer] ?? 0, second);
    const estimateBps = 1000 * estimate(layerKbps, second);
    fitting.note({ seconds: 1, estimateBps, layer, asked: highest, layerBps: 1000 * layerKbps });
    return layer;
  });
}

const always =
  (estimateKbps: number): Estimate =>
  () =>
    estimateKbps;

/**
 * An estimator that looks at delays alone (draft-ietf-rmcat-gcc, 5.5), behind a link with a queue of 300 ms. A queue
 * that fills shows in delays, a full one in every so many seconds only: then the estimate falls to 0.85 of what comes.
 * Between, it grows up to 1.5 times that.
 */
function estimatorBehind(linkKbps: (second: number) => number, shownEverySeconds: number): Estimate {
  let [estimate, queue] = [0, 0];
  return (sentKbps, second) => {
    const link = linkKbps(second);
    const came = Math.min(sentKbps + queue, link);
    const fills = Math.max(0, Math.min(0.3 * link, queue + sentKbps - link));
    const isFuller = fills > queue + 0.01 * link;
    queue = fills;
    const isFull = queue >= 0.3 * link && second % shownEverySeconds === 0;
    const grown = estimate === 0 ? came : Math.min(1.08 * estimate, Math.max(estimate, 1.5 * came + 10));
    estimate = isFuller || isFull ? 0.85 * came : grown;
    return second < 2 ? 0 : estimate;
  };
}

/** Seconds in which it was given the highest layer. */
const secondsOfHighest = (layers: readonly number[]): number => layers.filter((layer) => layer === highest).length;

test('a steady estimate below a layer lowers it within five seconds, one that carries it never does', () => {
  expect(layersBy(always(500), 20).indexOf(1)).toBeLessThanOrEqual(5);
  expect(layersBy(always(150), 20).indexOf(0), 'by two layers').toBeLessThanOrEqual(10);
  expect(secondsOfHighest(layersBy(always(530), 600))).toBe(600);
  expect(secondsOfHighest(layersBy(always(0), 600)), 'an unknown one').toBe(600);
});

test('an estimate that swings lowers a layer that does not fit, however seldom a full queue shows', () => {
  for (const share of [0.3, 0.5, 0.65, 0.75])
    for (const shownEvery of [1, 3, 5, 7, 10]) {
      const layers = layersBy(
        estimatorBehind(() => share * 650, shownEvery),
        60,
      );
      const said = `${share} of the layer, shown each ${shownEvery} s: ${layers.join('')}`;
      expect(layers.indexOf(1), said).toBeGreaterThan(0);
      expect(layers.indexOf(1), said).toBeLessThanOrEqual(share < 0.65 ? 15 : 25);
    }
});

test('one that begins far below and grows without falling lowers nobody', () => {
  const growing: Estimate = (_, second) => Math.min(1000, 200 * 1.08 ** second);
  expect(secondsOfHighest(layersBy(growing, 60))).toBe(60);
});

test('a link that holds the layer with a small reserve keeps it: its estimate falls by what key frames fill', () => {
  const uneven = (is: number, second: number) => is * (second % 10 === 9 ? 1.5 : 0.85 + 0.03 * (second % 10));
  for (const reserve of [1.1, 1.2, 1.5])
    for (const shownEvery of [1, 3, 5]) {
      const layers = layersBy(
        estimatorBehind(() => reserve * 650, shownEvery),
        1000,
        uneven,
      );
      expect(secondsOfHighest(layers), `${reserve}, ${shownEvery}`).toBe(1000);
    }
});

test('one deep fall, as of a receiver that was held up for a moment, lowers nobody', () => {
  for (const deepest of [390, 370, 300]) {
    const held: Estimate = (_, second) => Math.min(900, second < 20 ? 900 : deepest * 1.08 ** (second - 20));
    expect(secondsOfHighest(layersBy(held, 60)), `${deepest}`).toBe(60);
  }
});

test('while the key frame of a lower layer is awaited, nothing is decided again', () => {
  const fitting = new FittingLayer(highest);
  const second = (estimateBps: number, layer: number) =>
    fitting.note({ seconds: 1, estimateBps: 1000 * estimateBps, layer, asked: highest, layerBps: 650_000 });
  for (let nth = 0; nth < 26; nth += 1) second(900, highest);
  while (fitting.most === highest) second(340, highest);
  const { most } = fitting;
  for (let nth = 0; nth < 4; nth += 1) second(340, highest);
  for (let nth = 0; nth < 100; nth += 1) second(900, most);
  expect(fitting.most).toBe(most);
});

test('behind a link that is narrow from the start no trial has a try in its window, and later ones are rare', () => {
  const layers = layersBy(
    estimatorBehind(() => 400, 5),
    1000,
  );
  const down = layers.indexOf(1);
  expect(layers.slice(down, 240), layers.join('')).toEqual(Array.from({ length: 240 - down }, () => 1));
  expect(layers).not.toContain(0);
  const tries = layers.filter((layer, nth) => layer === highest && layers[nth - 1] === 1);
  expect(tries.length).toBe(3);
  expect(secondsOfHighest(layers)).toBeLessThan(0.05 * 1000);
});

test('who carried a layer before gets it back soon after its link has opened again', () => {
  const layers = layersBy(
    estimatorBehind((second) => (second >= 60 && second < 80 ? 400 : 2000), 3),
    200,
  );
  expect(layers.slice(20, 60)).not.toContain(1);
  expect(layers.slice(60, 80)).toContain(1);
  expect(layers.indexOf(highest, 70)).toBeLessThan(125);
  expect(layers.slice(130)).not.toContain(1);
});

test('a layer that is asked for in turns is left, and tried again, by the time of all of them', () => {
  const fitting = new FittingLayer(highest);
  const given = Array.from({ length: 400 }, (_, second) => {
    const asked = second % 20 < 10 ? highest : 0;
    const layer = Math.min(asked, fitting.most);
    const estimateBps = second < 100 ? 340_000 : 2_000_000;
    fitting.note({ seconds: 1, estimateBps, layer, asked, layerBps: 1000 * (kbps[layer] ?? 0) });
    return layer;
  });
  expect(given.slice(20, 240)).not.toContain(highest);
  expect(given.slice(260, 270)).toEqual(Array.from({ length: 10 }, () => highest));
});

test('a reading that is late counts by its time, and never alone', () => {
  const fitting = new FittingLayer(highest);
  const note = (estimateBps: number, seconds: number) =>
    fitting.note({ seconds, estimateBps, layer: highest, asked: highest, layerBps: 650_000 });
  note(900_000, 1);
  note(340_000, 30);
  expect(fitting.most).toBe(highest);
  note(340_000, 2);
  expect(fitting.most).toBe(1);
});
