import { type Leg, type MediaSource, sourceOfStream } from '../../model/scenario.js';
import { entriesOf, type StatsEntry, type StatsReport, textAt } from './stats-report.js';

/** A leg, and what comes over it. */
export interface Shown {
  readonly leg: Leg;
  readonly playing: ReadonlyMap<HTMLMediaElement, RTCRtpTransceiver>;
  readonly named: ReadonlyMap<RTCRtpTransceiver, string>;
}

/** A video element of a leg. A section may get another one's pictures: whose they are is asked each time. */
export interface ShownVideo {
  readonly element: HTMLVideoElement;
  key(): string;
  source(): MediaSource | undefined;
}

export function videosOf({ leg, playing, named }: Shown): readonly ShownVideo[] {
  return [...playing].flatMap(([element, transceiver]) => {
    if (!(element instanceof HTMLVideoElement)) return [];
    const stream = () => named.get(transceiver);
    return [{ element, key: () => keyOf(leg.id, stream()), source: () => sourceOfStream(leg, 'video', stream()) }];
  });
}

/** The report, with the frames that each received picture's element has had: it goes on where SSRCs change. */
export function withFramesShown(
  report: Map<string, StatsEntry>,
  playing: ReadonlyMap<HTMLMediaElement, RTCRtpTransceiver>,
): StatsReport {
  for (const [element, { mid }] of playing) {
    if (!(element instanceof HTMLVideoElement)) continue;
    const framesShown = element.getVideoPlaybackQuality().totalVideoFrames;
    for (const entry of entriesOf(report, 'inbound-rtp'))
      if (entry.kind === 'video' && textAt(entry, 'mid') === mid) report.set(entry.id, { ...entry, framesShown });
  }
  return report;
}

/** Of a received video. */
export const keyOf = (leg: string, stream: string | undefined): string => JSON.stringify([leg, stream ?? null]);
