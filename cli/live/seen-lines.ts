import { listedWith } from '../../model/listed.js';
import { mediaBytesOf } from '../../model/media-bytes.js';
import type { StreamSample } from '../../model/sample.js';
import { those } from '../../model/those.js';
import type { Seen } from '../../probes/visit/look.js';

/** What visitors of a web app had in the last second, as lines for a terminal. */
export function seenText(seen: readonly Seen[]): string {
  // Some apps connect members to each other, so one alone connects to nobody.
  const isAlone = seen.length === 1 && seen.every(({ connections, failure }) => !failure && connections.length === 0);
  const hint = isAlone ? ['  If the app connects only when somebody else is there: --members 2'] : [];
  const unset = new Set(seen.flatMap((one) => one.unset ?? []));
  const warnings = [...unset, ...changingWords(seen)].map((text) => `  ! ${text}`);
  return `${[...seen.flatMap(linesOf), ...hint, ...warnings].join('\n')}\n`;
}

/** Of visitors at whom more, or less, may flow later than was seen. */
export function changingWords(seen: readonly Seen[]): string[] {
  const names = seen.flatMap(({ stillChanges, visitor }) => (stillChanges ? visitor.participant : []));
  return names.length === 0 ? [] : [`what flows at ${listedWith('and', names)} still changed when the look ended`];
}

function linesOf({ visitor, connections, intervalMs, failure }: Seen): readonly string[] {
  const who = `  ${visitor.participant} (${visitor.role})`;
  if (failure) {
    const said = failure.kept.texts.flatMap(({ text }) => text.split('\n').slice(-10));
    return [
      `${who} cannot join: ${failure.detail}.`,
      ...(said.length > 0 ? ['  The page said last:'] : []),
      ...said.map((line) => `    ${line}`),
    ];
  }
  if (connections.length === 0) return [`${who} has joined, and its page has no RTCPeerConnection.`];
  return [
    `${who}: ${connections.length === 1 ? 'one connection' : `${connections.length} connections`}`,
    ...connections.flatMap(({ leg, connectionState, streams }, index) => [
      `    ${index + 1}. ${connectionState}${leg.rttMs === undefined ? '' : `, round trip ${leg.rttMs.toFixed(0)} ms`}`,
      ...streams.map(({ direction, kind, wanted, sample }) => {
        const what = `       ${direction === 'send' ? 'sends   ' : 'receives'} ${kind}`;
        if (!wanted) return `${what}  ended by the page`;
        return `${what}  ${sample ? rates(sample, intervalMs) : 'not measured'}`;
      }),
    ]),
  ];
}

function rates(stream: StreamSample, intervalMs: number): string {
  const perSecond = 1000 / intervalMs;
  const bytes = mediaBytesOf(stream);
  const frames = stream.direction === 'send' ? stream.metrics.framesSent : stream.metrics.framesDecoded;
  if (bytes === undefined) return 'not measured';
  const { frameWidth, frameHeight } = stream.metrics;
  return those(
    bytes === 0 ? 'nothing' : `${((bytes * 8 * perSecond) / 1000).toFixed(0)} kbit/s`,
    frameWidth !== undefined && frameHeight !== undefined && `${frameWidth}×${frameHeight}`,
    frames !== undefined && `${(frames * perSecond).toFixed(0)} fps`,
  ).join(', ');
}
