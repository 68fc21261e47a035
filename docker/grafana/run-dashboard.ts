import {
  type DashboardFrame,
  runVariable,
  scenarioVariable,
  serverVariable,
  trialMarks,
  trialVariable,
} from './frame.js';
import { curves, figure, table } from './panels.js';
import { chosen, rows, series } from './selection.js';
import { lossOf, receivedVideo, sound } from './sound-panels.js';

const ofRun = ['"run" =~ /^$run$/', '$timeFilter'];
const answer = [
  figure({
    title: 'Largest stable size',
    description: 'The answer of the run; empty until it has one.',
    targets: [rows({ select: 'last("stable") AS "stable"', from: 'loadline_run', where: ofRun })],
  }),
  figure({
    title: 'Smallest unstable size',
    description: 'Empty when none was seen.',
    targets: [rows({ select: 'last("unstable") AS "unstable"', from: 'loadline_run', where: ofRun })],
  }),
  figure({
    title: 'Why the search ended here',
    description: 'One sentence of the search.',
    targets: [rows({ select: 'last("because") AS "because"', from: 'loadline_run', where: ofRun })],
    text: true,
    width: 16,
  }),
];

const trials = [
  curves({
    title: 'Trials: size by verdict',
    description: 'Each trial at its end. A void trial says nothing about the server.',
    targets: [
      series({ select: '"size"', from: 'loadline_trial', where: [...chosen], by: ['verdict'] }, '$tag_verdict'),
    ],
    draw: 'points',
    min: 0,
  }),
  table({
    title: 'Trials',
    description: 'The first reason of each verdict; the report of the run has them all.',
    targets: [
      rows({
        select: '"size", "probesUp", "probesAsked", "because", "tookMs"',
        from: 'loadline_trial',
        where: [...chosen],
        by: ['trial', 'verdict'],
      }),
    ],
  }),
  table({
    title: 'Limits: worst value of each trial',
    description: 'At the worst probe or stream of the measured window. The verdict rests on these.',
    targets: [
      rows({
        select: '"label", "worst", "limitText", "passed", "worstProbe"',
        from: 'loadline_threshold',
        where: [...chosen],
        by: ['trial'],
      }),
    ],
  }),
  table({
    title: 'What happened',
    description: 'Phases, failures and warnings, as they came.',
    targets: [rows({ select: '"title", "text"', from: 'loadline_event', where: [...chosen], by: ['type'] })],
  }),
];

const media = [
  curves({
    title: 'Received video bitrate: least, mean, most',
    description:
      'Of all streams. Seconds in which a stream was not there at all are no values: see limits for the judgement.',
    targets: [
      series(
        {
          select: 'min("bitrateKbps") AS "least", mean("bitrateKbps") AS "mean", max("bitrateKbps") AS "most"',
          from: 'loadline_stream',
          where: receivedVideo,
          by: ['time'],
        },
        '$col',
      ),
    ],
    unit: 'Kbits',
    min: 0,
  }),
  curves({
    title: 'Received frames per second: least and mean',
    description: 'Decoded frames of all received video streams.',
    targets: [
      series(
        {
          select: 'min("fps") AS "least", mean("fps") AS "mean"',
          from: 'loadline_stream',
          where: receivedVideo,
          by: ['time'],
        },
        '$col',
      ),
    ],
    min: 0,
  }),
  curves({
    title: 'Video packets lost on the way down',
    description:
      'Of all streams together; resent packets count as received. The line is the limit on the mean of each stream.',
    targets: [lossOf('video')],
    unit: 'percent',
    limits: ['video-loss'],
  }),
  curves({
    title: 'Frozen video',
    description: 'Length of the freezes that ended in an interval, of all streams together.',
    targets: [
      series(
        { select: 'sum("freezeMs") AS "frozen"', from: 'loadline_stream', where: receivedVideo, by: ['time'] },
        '$col',
      ),
    ],
    unit: 'ms',
    min: 0,
  }),
];

const connections = [
  curves({
    title: 'Round trip',
    description:
      'Of the selected candidate pair: the 95th percentile and the mean of all legs. The line is the limit on the mean of each.',
    targets: [
      series(
        {
          select: 'percentile("rttMs", 95) AS "round trip p95", mean("rttMs") AS "round trip mean"',
          inSeries: 'max("rttMs") AS "round trip most", mean("rttMs") AS "round trip mean"',
          from: 'loadline_leg',
          where: [...chosen],
          by: ['time'],
        },
        '$col',
      ),
    ],
    unit: 'ms',
    min: 0,
    limits: ['round-trip'],
  }),
  curves({
    title: 'Probes that were read',
    description: 'Samples per second and trial: while measuring, as many as probes.',
    targets: [
      series(
        {
          select: 'count("intervalMs") AS "samples"',
          from: 'loadline_probe',
          where: [...chosen],
          by: ['time', 'trial'],
        },
        'trial $tag_trial',
      ),
    ],
    min: 0,
  }),
];

export const runDashboard: DashboardFrame = {
  name: 'run',
  title: 'Loadline: run',
  description: 'One run of Loadline: its answer, its trials, what participants received.',
  variables: [scenarioVariable, serverVariable, runVariable, trialVariable],
  marks: trialMarks,
  from: 'now-1h',
  refresh: '5s',
  panels: [
    ...answer,
    ...trials,
    { row: 'Pictures' },
    ...media,
    { row: 'Sound' },
    ...sound,
    { row: 'Connections and probes' },
    ...connections,
  ],
};
