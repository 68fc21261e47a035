import type { MediaKind } from '../../model/scenario.js';
import { type ReportBlock, type RtcpMessage, readRtcp } from '../../rtp/rtcp.js';
import type { IncomingTrack } from './incoming-track.js';
import type { SendStream } from './send-stream.js';
import type { TransportNumbers } from './transport-numbers.js';

/** Whom the RTCP of a browser is for. */
interface RtcpParties {
  readonly tracks: readonly IncomingTrack[];
  readonly sends: ReadonlyMap<MediaKind, SendStream>;
  readonly numbers: TransportNumbers;
}

/** Hands each message of a decrypted compound packet to those that it is for. */
export function takeRtcp(compound: Buffer, parties: RtcpParties, nowMs: number): void {
  for (const message of readRtcp(compound)) handle(message, parties, nowMs);
}

function handle(message: RtcpMessage, { tracks, sends, numbers }: RtcpParties, nowMs: number): void {
  switch (message.type) {
    case 'sender-report':
      for (const track of tracks) {
        if (track.stream?.ssrc === message.ssrc) track.noteSenderReport(message, nowMs);
      }
      noteReports(message.reports, sends, nowMs);
      return;
    case 'receiver-report':
      noteReports(message.reports, sends, nowMs);
      return;
    case 'nack':
      sendOf(sends, message.mediaSsrc)?.resend(message.sequenceNumbers, nowMs);
      return;
    case 'key-frame-request':
      sendOf(sends, message.mediaSsrc)?.requestKeyFrame();
      return;
    case 'remb':
      for (const ssrc of message.ssrcs) {
        const send = sendOf(sends, ssrc);
        if (send !== undefined) send.estimateBps = message.bitrateBps;
      }
      return;
    case 'transport-feedback':
      numbers.onFeedback(message);
      return;
    case 'bye':
      return;
  }
}

function noteReports(reports: readonly ReportBlock[], sends: RtcpParties['sends'], nowMs: number): void {
  for (const report of reports) sendOf(sends, report.ssrc)?.noteReport(report, nowMs);
}

function sendOf(sends: RtcpParties['sends'], ssrc: number): SendStream | undefined {
  for (const send of sends.values()) if (send.ssrc === ssrc) return send;
  return undefined;
}
