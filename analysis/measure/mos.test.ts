import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { aProbe } from '../../tests/builders/probe-builder.js';
import type { ReceivedAudio } from '../../tests/builders/streams.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from '../judge/judge.js';
import { type PresetName, presetNames, thresholdsOfPreset } from '../judge/thresholds/presets.js';
import { meanOpinionScore, mosOf } from './mos.js';

test('what was lost and repaired is heard: 3.02 % lost and 0.74 % concealed is a MOS of 4.1, not 3.45', () => {
  const audio = { lossPercent: 3.02, concealedPercent: 0.74, jitterBufferMs: 106 };
  expect(mosOf(audio, 80.7)).toBeCloseTo(4.12, 1);
  expect(mosOf({ ...audio, concealedPercent: 3.02 }, 80.7)).toBeCloseTo(3.45, 2);
});

test('packet loss stands in only where concealment is not known, and without either there is no MOS', () => {
  const audio = { lossPercent: 3, jitterBufferMs: 40 };
  expect(mosOf(audio, 20)).toBe(mosOf({ ...audio, concealedPercent: 3 }, 20));
  expect(mosOf({ ...audio, concealedPercent: 0 }, 20)).toBe(mosOf({ jitterBufferMs: 40, concealedPercent: 0 }, 20));
  expect(mosOf({ jitterBufferMs: 40 }, 20)).toBeUndefined();
});

test('of who pauses what was made up is a share of the time with sound, at least a tenth, and at most all of it', () => {
  const audio = { jitterBufferMs: 40, concealedPercent: 2 };
  const heard = (spokenPercent: number) => mosOf({ ...audio, spokenPercent }, 20);
  const missing = (concealedPercent: number) => mosOf({ ...audio, concealedPercent }, 20);
  expect(heard(100)).toBe(missing(2));
  // 200 ms of silence are sent behind each second of speech.
  expect(heard(40)).toBeCloseTo(missing(2 / 0.48) ?? 0, 9);
  expect([heard(3), heard(0)]).toEqual([missing(20), missing(20)]);
  expect(mosOf({ ...audio, concealedPercent: 60, spokenPercent: 40 }, 20)).toBe(missing(100));
});

const mosRow = (audio: ReceivedAudio) => {
  const { kind, thresholds } = judge(aTrial(withProbes(calls(1), aProbe('1a').receivesAudio(audio))));
  return { kind, worst: thresholds.find(({ code }) => code === 'audio-quality')?.worst };
};

test('what came too late counts though nothing was lost, and silence in place of speech counts like any other', () => {
  const late = mosRow({ concealedPercent: 8.3 });
  expect(late.kind).toBe('unstable');
  expect(mosRow({ concealedPercent: 8.3, silentConcealedPercent: 7.1 })).toEqual(late);
});

/** A jitter buffer of twice the jitter: what jitter costs at least, by the usual estimate of a call's delay. */
function mosAt(name: PresetName, at: { readonly loss: boolean; readonly jitter: boolean; readonly rtt: boolean }) {
  const { audioLossPercentMax, jitterMsMax, rttMsMax } = thresholdsOfPreset(name);
  const audio = {
    lossPercent: at.loss ? audioLossPercentMax : 0,
    concealedPercent: at.loss ? audioLossPercentMax : 0,
    jitterBufferMs: at.jitter ? 2 * jitterMsMax : 0,
  };
  return mosOf(audio, at.rtt ? rttMsMax : 0) ?? 0;
}

const all = { loss: true, jitter: true, rtt: true };
const none = { loss: false, jitter: false, rtt: false };

for (const name of presetNames.filter((preset) => preset !== 'twilio')) {
  test(`the MOS of preset ${name} lets through a stream at its limits of audio loss, jitter and round trip`, () => {
    expect(mosAt(name, all)).toBeGreaterThanOrEqual(thresholdsOfPreset(name).mosMin);
  });
}

test('the MOS of preset twilio lets through a stream at any one of its limits, and the page says that not at all at once', () => {
  const { mosMin } = thresholdsOfPreset('twilio');
  for (const one of ['loss', 'jitter', 'rtt']) {
    expect(mosAt('twilio', { ...none, [one]: true }), one).toBeGreaterThanOrEqual(mosMin);
  }
  expect(mosAt('twilio', all)).toBeLessThan(mosMin);
  const page = readFileSync(new URL('../../docs/reference/judging.md', import.meta.url), 'utf8');
  expect(page.includes('may fail by its MOS')).toBe(true);
});

test('no preset asks for a MOS that no stream can have', () => {
  for (const name of presetNames) {
    expect(thresholdsOfPreset(name).mosMin).toBeLessThan(meanOpinionScore(26.5, 0));
  }
});
