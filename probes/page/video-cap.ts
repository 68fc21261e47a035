import { type RateFeedback, soundKbps, type VideoRateControl } from '../../model/rate-control.js';
import type { Leg } from '../../model/scenario.js';

interface CappedDescription {
  readonly sdp: string;
  /** Absent where the server takes no video. */
  readonly control?: VideoRateControl;
}

/**
 * The server's description of a leg that sends video, and what in it holds the rate of that. The sender's own limit
 * (`maxBitrate`) holds what is encoded, and what the server tells by REMB holds all that is sent. Where a server has
 * agreed to no REMB and names no bandwidth, our cap is written in its place (`b=TIAS`; RFC 3890): then the estimate,
 * and what probes for more, end there, too.
 */
export function withVideoCap(sdp: string, leg: Leg, videoKbps: number): CappedDescription {
  const sections = sdp.split(/^(?=m=)/m);
  const at = sections.findIndex(takesVideo);
  const section = sections[at];
  if (section === undefined) return { sdp };
  const feedback = feedbackIn(section);
  const serverKbps = bandwidthIn(section);
  if (serverKbps !== undefined) return { sdp, control: { leg: leg.id, feedback, serverKbps } };
  if (feedback.includes('remb')) return { sdp, control: { leg: leg.id, feedback } };
  // The estimate is of all that the leg sends.
  const writtenKbps = videoKbps + (leg.sends.includes('audio') ? soundKbps : 0);
  const written = withBandwidth(section, writtenKbps);
  return { sdp: sections.with(at, written).join(''), control: { leg: leg.id, feedback, writtenKbps } };
}

/** Sent to the server, in a section that it has not refused (RFC 3264, 6). */
const takesVideo = (section: string): boolean =>
  /^m=video [1-9]/.test(section) && !/^a=(sendonly|inactive)\b/m.test(section);

/** transport-cc takes effect only with the header extension that numbers packets. */
function feedbackIn(section: string): readonly RateFeedback[] {
  const remb: readonly RateFeedback[] = /^a=rtcp-fb:\S+ goog-remb\b/m.test(section) ? ['remb'] : [];
  const numbered = /^a=extmap:.*transport-wide-cc/m.test(section) && /^a=rtcp-fb:\S+ transport-cc\b/m.test(section);
  return numbered ? [...remb, 'transport-cc'] : remb;
}

/** The lower of what is named, TIAS in bit/s and AS in kbit/s; other modifiers are of other things. */
function bandwidthIn(section: string): number | undefined {
  const named = [...section.matchAll(/^b=(TIAS|AS):(\d+)/gm)].map(
    ([, modifier, value]) => Number(value) / (modifier === 'TIAS' ? 1000 : 1),
  );
  const lowest = Math.min(...named);
  // Digits without end are above all numbers.
  return Number.isFinite(lowest) ? lowest : undefined;
}

/** Lines of bandwidth come before keys and attributes (RFC 8866, 9). */
function withBandwidth(section: string, kbps: number): string {
  const line = `b=TIAS:${kbps * 1000}\r\n`;
  const at = section.search(/^[ka]=/m);
  return at < 0 ? `${section}${line}` : `${section.slice(0, at)}${line}${section.slice(at)}`;
}
