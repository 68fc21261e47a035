/** How a server says what it can take: a rate (REMB), or when each packet came (transport-cc). */
export type RateFeedback = 'remb' | 'transport-cc';

/** What was negotiated for the video that one leg sends, as far as it holds its rate. */
export interface VideoRateControl {
  readonly leg: string;
  readonly feedback: readonly RateFeedback[];
  /** What the server's own description allows (`b=`; RFC 8866, 5.8), kbit/s; absent: it names nothing. */
  readonly serverKbps?: number;
  /** What the page wrote there, because the server caps in no way; absent: nothing. */
  readonly writtenKbps?: number;
}

/**
 * What libwebrtc keeps of an estimate for the sound and its headers, kbit/s: under a REMB of 500 a full sender's video
 * gets 477 (measured, Chromium 156).
 */
export const soundKbps = 23;

/**
 * An estimate counts headers, too, where packets are numbered (libwebrtc, `RtpVideoSender`). A full sender's video got
 * 435 to 452 of 477 that the sound left on Janus, and 460 to 471 of 500 on LiveKit (Chromium 156).
 */
const headerShare = 0.065;

/** What an estimate of all that a leg sends leaves for its video, kbit/s. */
export function leftForVideo(estimateKbps: number, withSound: boolean, feedback: readonly RateFeedback[]): number {
  const kbps = estimateKbps - (withSound ? soundKbps : 0);
  return feedback.includes('transport-cc') ? kbps * (1 - headerShare) : kbps;
}
