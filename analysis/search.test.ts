import { expect, test } from '@playwright/test';
import { aServerThatHolds, aServerThatSays } from './search/story.js';

test.describe('a server with a sharp limit', () => {
  test('is found by doubling, bisecting and confirming', () => {
    aServerThatHolds(52).searchedFrom(8).tries(1, 8, 16, 32, 64, 48, 56, 52, 54, 54, 52, 52).answers(52, 54);
  });

  test('is found exactly when asked for exactly', () => {
    aServerThatHolds(52)
      .searchedFrom(8)
      .within(1)
      .tries(1, 8, 16, 32, 64, 48, 56, 52, 54, 53, 53, 52, 52)
      .answers(52, 53);
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
});

test.describe('flaky sizes', () => {
  test('a limit that fails its confirmation is flaky, and the search goes on below it', () => {
    aServerThatSays({ 1: '+++', 2: '+', 4: '+', 5: '+++', 6: '+-', 7: '--', 8: '-' })
      .tries(1, 2, 4, 8, 6, 7, 7, 6, 5, 5, 5)
      .answers(5, 7, [6]);
  });

  test('a size above that passes its second trial is no longer the unstable one', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 5: '+', 6: '+++', 7: '-+', 8: '--' })
      .tries(1, 2, 4, 8, 6, 7, 7, 8, 6, 6)
      .answers(6, 8, [7]);
  });

  test('a baseline that fails its confirmation is unstable', () => {
    aServerThatSays({ 1: '+-', 2: '--' }).tries(1, 2, 2, 1).ends('baseline-unstable', 0, 1, [1]);
  });

  test('a largest size that fails its confirmation leaves nothing refuted', () => {
    aServerThatSays({ 1: '+', 2: '+', 3: '+++', 4: '+-' })
      .upTo(4)
      .tries(1, 2, 4, 4, 3, 3, 3)
      .ends('reached-max', 3, null, [4]);
  });
});

test.describe('outcomes that contradict each other', () => {
  test('each further failure below a pass moves the stable side twice as far down', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 8: '+', 9: '+++', 11: '-', 12: '+-', 13: '--', 14: '-', 16: '-' })
      .tries(1, 2, 4, 8, 16, 12, 14, 13, 13, 12, 11, 9, 9, 9)
      .answers(9, 13, [12]);
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
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
});
