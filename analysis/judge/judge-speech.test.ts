import { expect, test } from '@playwright/test';
import { Voice } from '../../model/speech.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe, type ProbeBuilder, speechIn } from '../../tests/builders/probe-builder.js';
import { aTrial, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

/** The baseline was long before: other parts of the conversations. */
const longAgoMs = startMs - 77_000;

/** What share of each second one speaks. */
const spokenIn = (id: string, fromMs = startMs) => {
  const voice = new Voice({ ...speechIn(id.slice(0, -1)), nth: id.endsWith('a') ? 0 : 1 });
  return (second: number) => voice.spokenMs(fromMs + 1000 * second, fromMs + 1000 * (second + 1)) / 1000;
};
/** As Chromium with DTX: 40 kbit/s of speech, and 0.67 of silence. */
const rateOf = (share: number) => 0.67 + (1 - 0.67 / 40) * 40 * share;
const sound = (share: (second: number) => number) => ({
  kbps: (second: number) => rateOf(share(second)),
  level: (second: number) => 0.2 * share(second),
});
const speaker = (id: string, fromMs = startMs): ProbeBuilder =>
  aProbe(id)
    .converses()
    .sendsAudio(sound(spokenIn(id, fromMs)))
    .receivesAudio(sound(spokenIn(other(id), fromMs)));
const other = (id: string) => `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`;
const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => [speaker(`${index + 1}a`), speaker(`${index + 1}b`)]).flat();

const known = (() => {
  const probes = [speaker('1a', longAgoMs), speaker('1b', longAgoMs)];
  return baselineOf(
    probes.flatMap((probe) => probe.samples(longAgoMs, 60)),
    probes.map((probe) => probe.participant()),
    { startMs: longAgoMs, endMs: longAgoMs + 60_000 },
  );
})();
const judged = (...changed: readonly ProbeBuilder[]) =>
  judge(aTrial(withProbes(calls(12), ...changed), { baseline: known }));
const told = ({ reasons }: ReturnType<typeof judge>) =>
  reasons.map(({ code, probe, stream }) => [code, probe, stream?.direction]);

test('pauses of people who speak now more and now less are no missing sound', () => {
  expect(judged()).toMatchObject({ kind: 'stable', reasons: [] });
  expect(judge(aTrial(calls(2), { baseline: null }))).toMatchObject({ kind: 'stable', reasons: [] });
});

test('speech that comes on the way of others a third of a second late is none either', () => {
  const late = (second: number) => {
    const voice = new Voice({ ...speechIn('3'), nth: 1 });
    const fromMs = startMs + 1000 * second - 300;
    return voice.spokenMs(fromMs, fromMs + 1000) / 1000;
  };
  expect(judged(speaker('3a').receivesAudio(sound(late)))).toMatchObject({ kind: 'stable', reasons: [] });
});

test('speech of which half is left out is named, with how much was spoken, and so is none but silence', () => {
  const half = (second: number) => (second % 2 === 0 ? spokenIn('4b')(second) : 0);
  const verdict = judged(speaker('4a').receivesAudio(sound(half)));
  expect(told(verdict)).toEqual([['low-bitrate', '4a', 'receive']]);
  expect(verdict.reasons[0]?.text).toMatch(/at 10\.2 kbit\/s in 47\.2 % of speech, 5\d.* % of the baseline's/);
  expect(told(judged(speaker('4a').receivesAudio(sound(() => 0))))).toEqual([['low-bitrate', '4a', 'receive']]);
});

test('a sender that goes on in silence is named', () => {
  expect(told(judged(speaker('5b').sendsAudio(sound(() => 0))))).toEqual([['low-bitrate', '5b', 'send']]);
});

test('speech that arrives without a level is silent, though pauses have none', () => {
  const silent = { ...sound(spokenIn('6b')), level: 0 };
  expect(told(judged(speaker('6a').receivesAudio(silent)))).toEqual([['silent-sound', '6a', 'receive']]);
});

test('speech of which 3 % in all the time is made up is poor where its sender pauses, and good where it does not', () => {
  const poorly = { ...sound(spokenIn('7b')), concealedPercent: 3 };
  expect(told(judged(speaker('7a').receivesAudio(poorly)))).toEqual([['audio-quality', '7a', 'receive']]);
  const always = aTrial([aProbe('1a').receivesAudio({ concealedPercent: 3 }), aProbe('1b')], { baseline: null });
  expect(judge(always)).toMatchObject({ kind: 'stable', reasons: [] });
});

test('the baseline knows how much was spoken in it, and keeps no ranks of who spoke more', () => {
  const heard = known.streams['caller/receive/audio'];
  expect(heard?.spokenPercent).toBeGreaterThan(20);
  expect(heard?.spokenPercent).toBeLessThan(65);
  expect(heard?.places).toBeUndefined();
});
