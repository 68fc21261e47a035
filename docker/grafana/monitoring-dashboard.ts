import { answerMarks, type DashboardFrame, scenarioVariable, serverVariable } from './frame.js';
import { curves, table } from './panels.js';
import { everyRun, rows, series } from './selection.js';

const where = [...everyRun];
const receivedVideo = [...where, `"direction" = 'receive'`, `"kind" = 'video'`];
const over = (
  title: string,
  description: string,
  from: string,
  select: string,
  unit?: string,
  of = where,
  inSeries?: string,
) =>
  curves({
    title,
    description,
    targets: [
      series(
        {
          select,
          from,
          where: of,
          by: ['time', 'scenario', 'server'],
          ...(inSeries === undefined ? {} : { inSeries }),
        },
        '$tag_scenario on $tag_server: $col',
      ),
    ],
    ...(unit === undefined ? {} : { unit }),
    draw: 'points',
    min: 0,
  });

export const monitoringDashboard: DashboardFrame = {
  name: 'monitoring',
  title: 'Loadline: over weeks',
  description: 'All runs of the chosen scenarios and servers, to see what changed and when.',
  variables: [scenarioVariable, serverVariable],
  marks: answerMarks,
  from: 'now-30d',
  refresh: '5m',
  panels: [
    over('Limit', 'Largest stable size of each run.', 'loadline_run', 'last("stable") AS "stable"'),
    curves({
      title: 'Trials by verdict',
      description: 'In each interval.',
      targets: [
        series(
          {
            select: 'sum("stable") AS "stable", sum("unstable") AS "unstable", sum("void") AS "void"',
            from: 'loadline_trial',
            where,
            by: ['time'],
          },
          '$col',
        ),
      ],
      draw: 'bars',
      min: 0,
    }),
    {
      ...over(
        'First frame, 95th percentile',
        'From the start of the join.',
        'loadline_probe_trial',
        'percentile("firstFrameMs", 95) AS "p95"',
        'ms',
        where,
        'mean("firstFrameMs") AS "mean", max("firstFrameMs") AS "most"',
      ),
      titleInSeries: 'First frame, mean and most',
    },
    over(
      'Received video bitrate',
      'Mean and least of all windows of all probes.',
      'loadline_stream_trial',
      'mean("bitrateKbps") AS "mean", min("bitrateKbps") AS "least"',
      'Kbits',
      receivedVideo,
    ),
    over(
      'Video packets lost',
      'Mean and most of all windows of all probes, on the way down.',
      'loadline_stream_trial',
      'mean("lossPercent") AS "mean", max("lossPercent") AS "most"',
      'percent',
      receivedVideo,
    ),
    over(
      'Jitter of received video',
      'Mean of all windows of all probes.',
      'loadline_stream_trial',
      'mean("jitterMs") AS "mean"',
      'ms',
      receivedVideo,
    ),
    over(
      'CPU of the media server',
      'In cores, the mean of each measured window.',
      'loadline_trial',
      'mean("serverCoresMean") AS "cores"',
    ),
    over(
      'Memory of the media server',
      'The most it had in a trial: growth over weeks is a leak.',
      'loadline_trial',
      'max("serverRssMbMax") AS "resident"',
      'decmbytes',
    ),
    table({
      title: 'Runs',
      description: 'A click opens the run.',
      targets: [
        rows({
          select: '"stable", "unstable", "trials", "because", "startedAtMs", "endedAtMs"',
          from: 'loadline_run',
          where,
          by: ['run', 'outcome'],
        }),
      ],
      opensRun: true,
      width: 24,
    }),
  ],
};
