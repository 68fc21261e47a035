import type { Aggregates } from '../../model/aggregate.js';

/**
 * A listener's opinion of received speech, 1 to 4.41, by the E-model of ITU-T G.107 with its default values. Its scale
 * is that of narrow band; G.107.2 has one for full band.
 *
 * R = 93.2 - Id - Ie,eff, where
 * - Id = 0.024 d + 0.11 (d - 177.3) above 177.3 ms is the usual fit of G.107's delay impairment;
 * - Ie,eff = (95 - Ie) Ppl / (Ppl / BurstR + Bpl) + Ie with Ie = 0 and Bpl = 10, an assumption: G.113 has no entry for
 *   Opus. It is between G.711 without concealment (4.3) and with it (25.1), which G.113 appendix I does list. BurstR is
 *   the mean length of bursts over that of as much loss by chance, which is 1 / (1 - Ppl): 1 where losses come by
 *   chance.
 */
const codecDelayMs = 26.5; // Opus: frames of 20 ms and a look-ahead of 6.5 ms (RFC 6716, 2).
const packetLossRobustness = 10;
/** What G.107 calls a packet: a frame of Opus as WebRTC sends it. */
export const soundPacketMs = 20;
/** Encoders go on for 200 ms behind each spurt of speech, which is of 1.03 s in the mean (docs/lab/measuring.md). */
const soundBySpeech = 1.2;
/** Of somebody who hardly speaks one hole would be most of it. Chosen. */
const leastSoundPercent = 10;
/** Highest opinion of the E-model for narrow band: R = 93.2, nothing impaired (ITU-T G.107, annex B), rounded. */
export const bestMos = 4.41;

/** `delayMs` mouth to ear; `lossPercent` of speech missed, in bursts this many times as long as by chance. */
export function meanOpinionScore(delayMs: number, lossPercent: number, burstRatio = 1): number {
  const delayImpairment = 0.024 * delayMs + 0.11 * Math.max(0, delayMs - 177.3);
  const lossImpairment = (95 * lossPercent) / (lossPercent / burstRatio + packetLossRobustness);
  const r = 93.2 - delayImpairment - lossImpairment;
  return r <= 0 ? 1 : Math.max(1, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6);
}

/**
 * MOS of a received audio stream. The delay is half the round trip of the listener's own leg, plus jitter buffer and
 * codec: from the server to the ear. The speaker's leg has a judgement of its own, by its round trip.
 *
 * Ppl of G.107 is what the ear misses: lost after repair, or too late (RFC 3611, 4.7.1, counts the same two). That is
 * concealment (inbound-rtp.concealedSamples): a packet that Opus repaired from the next one is lost to RTP and heard
 * all the same. It is held against the time with sound, because a player makes nothing up in pauses (DTX). Silent
 * concealment counts, too: whatever the decoder fades to silence was speech. Only where concealment is unknown does
 * the packet loss stand in. Its bursts are those of concealment, too (inbound-rtp.concealmentEvents); unknown, they are
 * taken for chance. `undefined` when a part could not be measured.
 */
export function mosOf(audio: Aggregates, legRttMs: number | undefined): number | undefined {
  const { lossPercent, concealedPercent, jitterBufferMs, meanGapMs, spokenPercent } = audio;
  const missing = concealedPercent === undefined ? lossPercent : ofSound(concealedPercent, spokenPercent);
  if (legRttMs === undefined || jitterBufferMs === undefined || missing === undefined) return undefined;
  const burstRatio = concealedPercent === undefined || meanGapMs === undefined ? 1 : burstRatioOf(meanGapMs, missing);
  return meanOpinionScore(legRttMs / 2 + jitterBufferMs + codecDelayMs, missing, burstRatio);
}

/** A share of all that was played, as one of what was played while its sender sent sound. */
function ofSound(percent: number, spokenPercent = 100): number {
  const soundPercent = Math.min(100, Math.max(leastSoundPercent, soundBySpeech * spokenPercent));
  return Math.min(100, (100 * percent) / soundPercent);
}

/** Of G.107. Stretches shorter than a packet, as of one that came a little late, are no burst. */
function burstRatioOf(meanGapMs: number, missingPercent: number): number {
  return Math.max(1, (meanGapMs / soundPacketMs) * (1 - missingPercent / 100));
}
