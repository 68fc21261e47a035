import { expect, test } from '@playwright/test';
import { aServerThatHolds, aServerThatSays } from '../tests/search-story.js';

test.describe('a server with a sharp limit', () => {
  test('is found by doubling, bisecting, refuting and confirming', () => {
    aServerThatHolds(13).searchedFrom(4).tries(1, 4, 8, 16, 12, 14, 13, 14, 13, 13).answers(13, 14);
  });

  test('above 40 is answered with a margin of a resolution below the first failure', () => {
    aServerThatHolds(52)
      .searchedFrom(8)
      .tries(1, 8, 16, 32, 64, 48, 56, 52, 54, 53, 53, 52, 52, 51, 51, 51)
      .answers(51, 53);
  });

  test('above 20 is found to the size when asked for, at the price of more passes and failures', () => {
    aServerThatHolds(52)
      .searchedFrom(8)
      .within(1)
      .tries(1, 8, 16, 32, 64, 48, 56, 52, 54, 53, 53, 53, 52, 52, 52, 52, 52, 52, 52, 52)
      .answers(52, 53);
  });

  test('is answered within a share of its size', () => {
    const { answer } = aServerThatHolds(400).within('10%').tell();
    expect(answer).toMatchObject({ outcome: 'found', stable: 371, unstable: 408 });
  });

  test('below the first size is bisected from the baseline', () => {
    aServerThatHolds(2).searchedFrom(8).tries(1, 8, 4, 2, 3, 3, 2, 2).answers(2, 3);
  });

  test('that holds the baseline alone has the baseline confirmed', () => {
    aServerThatHolds(1).tries(1, 2, 2, 1, 1).answers(1, 2);
  });

  test('that does not hold the baseline ends at once', () => {
    aServerThatHolds(0).tries(1).ends('baseline-unstable', 0, 1);
  });

  test('above the largest size allowed is confirmed there', () => {
    aServerThatHolds(100).upTo(12).tries(1, 2, 4, 8, 12, 12, 12).ends('reached-max', 12, null);
  });

  test('with the baseline as the largest size allowed is confirmed there', () => {
    aServerThatHolds(100).upTo(1).tries(1, 1, 1).ends('reached-max', 1, null);
  });

  test('is confirmed as often as a confidence asks for', () => {
    aServerThatHolds(1).with({ confidence: 0.5 }).tries(1, 2, 2, 1, 1, 1).answers(1, 2);
  });
});

test.describe('flaky sizes', () => {
  test('a limit that fails its confirmation is flaky: the search goes on below it and asks for twice the passes', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 5: '++++++', 6: '+-', 7: '--', 8: '-' })
      .tries(1, 2, 4, 8, 6, 7, 7, 6, 5, 5, 5, 5, 5, 5)
      .answers(5, 7, [6]);
  });

  test('a size above that passes its second trial is no longer the unstable one', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 6: '++++++', 7: '-+', 8: '--' })
      .tries(1, 2, 4, 8, 6, 7, 7, 8, 6, 6, 6, 6, 6)
      .answers(6, 8, [7]);
  });

  test('a baseline that fails its confirmation is unstable', () => {
    aServerThatSays({ 1: '+-', 2: '--' }).tries(1, 2, 2, 1).ends('baseline-unstable', 0, 1, [1]);
  });

  test('a largest size that fails its confirmation leaves nothing refuted', () => {
    aServerThatSays({ 1: '+', 2: '+', 3: '++++++', 4: '+-' })
      .upTo(4)
      .tries(1, 2, 4, 4, 3, 3, 3, 3, 3, 3)
      .ends('reached-max', 3, null, [4]);
  });
});

test.describe('outcomes that contradict each other', () => {
  test('each further failure below a pass moves the stable side twice as far down', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 8: '+', 9: '++++++', 11: '-', 12: '+-', 13: '--', 14: '-', 16: '-' })
      .tries(1, 2, 4, 8, 16, 12, 14, 13, 13, 12, 11, 9, 9, 9, 9, 9, 9)
      .answers(9, 13, [12]);
  });

  test('each further pass above a failure moves the unstable side twice as far up', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 8: '+', 12: '++++++', 13: '-+', 14: '-+', 16: '-+', 20: '---' })
      .tries(1, 2, 4, 8, 16, 12, 14, 13, 13, 14, 16, 20, 20, 20, 12, 12, 12, 12, 12)
      .answers(12, 20, [13, 14, 16]);
  });

  test('a size that passed above one that failed lies inside the interval', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 8: '+', 9: '++', 10: '-+', 11: '+', 12: '--', 16: '-' })
      .with({ confirm: 1 })
      .tries(1, 2, 4, 8, 16, 12, 10, 9, 10, 11, 12, 9)
      .answers(9, 12, [10]);
  });
});

test.describe('the probes’ own limit', () => {
  test('is a ceiling below which the search goes on', () => {
    aServerThatHolds(5).whoseProbesCarry(7).tries(1, 2, 4, 8, 6, 5, 6, 5, 5).answers(5, 6);
  });

  test('below the server’s gives a limit of at least that', () => {
    aServerThatHolds(50).whoseProbesCarry(6).tries(1, 2, 4, 8, 6, 7, 6, 6).ends('probe-limited', 6, null);
  });

  test('below the baseline says nothing', () => {
    aServerThatHolds(50).whoseProbesCarry(0).tries(1).ends('void', 0, null);
  });

  test('hides failures above it, because the probes may have caused them', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 5: '+++', 6: '!', 8: '-' })
      .tries(1, 2, 4, 8, 6, 5, 5, 5)
      .ends('probe-limited', 5, null);
  });
});

test.describe('void trials', () => {
  test('are repeated and do not move the search', () => {
    aServerThatSays({ 1: '?++?+', 2: '?-?-' }).tries(1, 1, 2, 2, 2, 2, 1, 1, 1).answers(1, 2);
  });

  test('of the baseline end the run when every repeat is void', () => {
    aServerThatSays({ 1: '???' }).tries(1, 1, 1).ends('void', 0, null);
  });

  test('of one size are a ceiling after the last repeat, tried once more before the end', () => {
    aServerThatSays({ 1: '+++', 2: '????' }).tries(1, 2, 2, 2, 1, 1, 2).ends('probe-limited', 1, null);
  });

  test('that end with the last try let the search go on above', () => {
    aServerThatSays({ 1: '+++', 2: '???--' }).tries(1, 2, 2, 2, 1, 1, 2, 2).answers(1, 2);
  });

  test('of a size that could be measured before get twice the repeats', () => {
    aServerThatSays({ 1: '+????++', 2: '--' }).tries(1, 2, 2, 1, 1, 1, 1, 1, 1).answers(1, 2);
  });
});

test('every step of a search carries a sentence', () => {
  const sentences = aServerThatHolds(52).searchedFrom(8).sentences();
  expect(sentences.slice(0, 2)).toEqual(['What one alone gets is what all others are judged by.', '1 was stable: up.']);
  expect(sentences.at(-1)).toBe('51 was stable in 3 of 3 trials, 53 unstable in 2 of 2.');
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
});
