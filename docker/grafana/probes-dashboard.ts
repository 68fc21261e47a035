import {
  type DashboardFrame,
  probeVariable,
  runVariable,
  scenarioVariable,
  serverVariable,
  trialMarks,
  trialVariable,
} from './frame.js';
import { bars, curves, table } from './panels.js';
import { chosen, rows, series } from './selection.js';

const ofProbes = [...chosen, '"probe" =~ /^$probe$/'];
const received = [...ofProbes, `"direction" = 'receive'`];
const receivedVideo = [...received, `"kind" = 'video'`];
const sentVideo = [...ofProbes, `"direction" = 'send'`, `"kind" = 'video'`];
const people = ['session', 'probe', 'leg'];
const who = '$tag_session · $tag_leg';

const windows = [
  bars({
    title: 'Received video bitrate, by probe',
    description:
      'Mean of the measured window of the last chosen trial, grouped by session: two low ends of one call stand together.',
    targets: [
      series({ select: 'last("bitrateKbps")', from: 'loadline_stream_trial', where: receivedVideo, by: people }, who),
    ],
    unit: 'Kbits',
  }),
  bars({
    title: 'Video packets lost, by probe',
    description: 'Mean of the measured window of the last chosen trial, on the way down.',
    targets: [
      series({ select: 'last("lossPercent")', from: 'loadline_stream_trial', where: receivedVideo, by: people }, who),
    ],
    unit: 'percent',
    decimals: 2,
  }),
  table({
    title: 'Joining',
    description:
      'From the start of the join of each probe; empty where it did not get there. Browser and page say where it ran.',
    targets: [
      rows({
        select: '"up", "answerMs", "iceConnectedMs", "firstFrameMs", "failure", "browser", "page"',
        from: 'loadline_probe_trial',
        where: ofProbes,
        by: ['trial', 'session', 'role', 'probe'],
      }),
    ],
    width: 24,
  }),
];

const curve = (title: string, description: string, field: string, where: readonly string[], unit?: string) =>
  curves({
    title,
    description,
    targets: [
      series({ select: `mean("${field}")`, from: 'loadline_stream', where, by: ['time', 'probe', 'leg'] }, '$tag_leg'),
    ],
    ...(unit === undefined ? {} : { unit }),
    min: 0,
  });

const seconds = [
  curve('Received video bitrate', 'Of each leg.', 'bitrateKbps', receivedVideo, 'Kbits'),
  curve('Received frames per second', 'Decoded frames of each leg.', 'fps', receivedVideo),
  curve('Sent video bitrate', 'Of each leg, resent packets included.', 'bitrateKbps', sentVideo, 'Kbits'),
  curve('Jitter of received video', 'RFC 3550, of each leg.', 'jitterMs', receivedVideo, 'ms'),
  curves({
    title: 'Packets lost on the way down',
    description: 'A count; below zero when late or resent packets fill gaps.',
    targets: [
      series(
        {
          select: 'sum("packetsLost")',
          from: 'loadline_stream',
          where: received,
          by: ['time', 'probe', 'leg', 'kind'],
        },
        '$tag_leg $tag_kind',
      ),
    ],
  }),
  curves({
    title: 'Round trip',
    description: 'Of the selected candidate pair of each leg.',
    targets: [
      series(
        { select: 'mean("rttMs")', from: 'loadline_leg', where: ofProbes, by: ['time', 'probe', 'leg'] },
        '$tag_leg',
      ),
    ],
    unit: 'ms',
    min: 0,
  }),
  curves({
    title: 'Late readings',
    description:
      'How late the timer of the page fired: a page that is late is short of CPU, and its trial may be void.',
    targets: [
      series({ select: 'max("lateMs")', from: 'loadline_probe', where: ofProbes, by: ['time', 'probe'] }, '$tag_probe'),
    ],
    unit: 'ms',
    min: 0,
  }),
  curves({
    title: 'Frozen video',
    description: 'Length of the freezes that ended in an interval, of each leg.',
    targets: [
      series(
        { select: 'sum("freezeMs")', from: 'loadline_stream', where: receivedVideo, by: ['time', 'probe', 'leg'] },
        '$tag_leg',
      ),
    ],
    unit: 'ms',
    min: 0,
  }),
];

export const probesDashboard: DashboardFrame = {
  name: 'probes',
  title: 'Loadline: by probe',
  description: 'Every probe of the chosen trials alone: a fleet average hides the one that starves.',
  variables: [scenarioVariable, serverVariable, runVariable, trialVariable, probeVariable],
  marks: trialMarks,
  from: 'now-1h',
  refresh: '10s',
  panels: [...windows, ...seconds],
};
