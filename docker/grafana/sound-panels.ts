import { curves } from './panels.js';
import { snake } from './prom-ql.js';
import { chosen, series } from './selection.js';

export const receivedVideo = [...chosen, `"direction" = 'receive'`, `"kind" = 'video'`];
const received = [...chosen, `"direction" = 'receive'`];
const receivedAudio = [...received, `"kind" = 'audio'`];

/** A share of two sums, in percent. */
const shareTarget = (where: readonly string[], name: string, [part, whole]: readonly [string, readonly string[]]) => {
  const summed = (field: string) => `sum(sum_over_time(loadline_streams_${snake(field)}_sum{{ofAll}}[$__interval]))`;
  const of = whole.map((field) => `sum("${field}")`).join(' + ');
  return series(
    {
      select: `100 * sum("${part}") / (${of}) AS "${name}"`,
      from: 'loadline_stream',
      where,
      by: ['time'],
      promQl: { expr: `100 * ${summed(part)} / (${whole.map(summed).join(' + ')})`, legend: name },
    },
    '$col',
  );
};
export const lossOf = (kind: 'audio' | 'video') =>
  shareTarget(kind === 'audio' ? receivedAudio : receivedVideo, 'loss', [
    'packetsLost',
    ['packetsLost', 'packetsReceived'],
  ]);

/** What is heard: the judge's MOS of each trial, and loss, jitter and made-up samples second by second. */
export const sound = [
  curves({
    title: 'Audio MOS: least and mean',
    description: 'Of each received stream over the window of a trial, estimated (G.107, narrow band); at its end.',
    targets: [
      series(
        {
          select: 'min("mos") AS "least", mean("mos") AS "mean"',
          from: 'loadline_stream_trial',
          where: receivedAudio,
          by: ['time'],
        },
        '$col',
      ),
    ],
    draw: 'points',
    min: 1,
    max: 4.5,
    limits: ['audio-quality'],
  }),
  curves({
    title: 'Audio packets lost on the way down',
    description: 'Of all streams together. The line is the limit on the mean of each stream.',
    targets: [lossOf('audio')],
    unit: 'percent',
    limits: ['audio-loss'],
  }),
  curves({
    title: 'Audio jitter: mean and most',
    description: 'RFC 3550, of received streams. The line is the limit on the mean of each stream.',
    targets: [
      series(
        {
          select: 'mean("jitterMs") AS "mean", max("jitterMs") AS "most"',
          from: 'loadline_stream',
          where: receivedAudio,
          by: ['time'],
        },
        '$col',
      ),
    ],
    unit: 'ms',
    min: 0,
    limits: ['jitter'],
  }),
  curves({
    title: 'Concealed sound',
    description: 'Samples made up for missing ones, of all that were played.',
    targets: [shareTarget(receivedAudio, 'concealed', ['concealedSamples', ['totalSamples']])],
    unit: 'percent',
    min: 0,
  }),
];
