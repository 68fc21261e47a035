import {
  type DashboardFrame,
  runVariable,
  scenarioVariable,
  serverVariable,
  trialMarks,
  trialVariable,
} from './frame.js';
import { curves, table } from './panels.js';
import { chosen, rows, type Selection, series } from './selection.js';

const one = (
  title: string,
  description: string,
  from: string,
  select: string,
  unit?: string,
  promQl?: Selection['promQl'],
) =>
  curves({
    title,
    description,
    targets: [
      series({ select, from, where: [...chosen], by: ['time'], ...(promQl === undefined ? {} : { promQl }) }, '$col'),
    ],
    ...(unit === undefined ? {} : { unit }),
    min: 0,
  });

export const serverDashboard: DashboardFrame = {
  name: 'server',
  title: 'Loadline: server and probe host',
  description: 'What the media server and the probe host had left. What could not be read is no value, never zero.',
  variables: [scenarioVariable, serverVariable, runVariable, trialVariable],
  marks: trialMarks,
  from: 'now-1h',
  refresh: '5s',
  panels: [
    one('CPU of the media server', 'In cores.', 'loadline_server', 'mean("cpuCores") AS "cores"'),
    one(
      'Memory of the media server',
      'Resident; where only the server itself tells, see saidMemoryMb.',
      'loadline_server',
      'mean("rssMb") AS "resident"',
      'decmbytes',
    ),
    one(
      'Threads and open files of the media server',
      'Of its process, on this host only.',
      'loadline_server',
      'mean("threads") AS "threads", mean("openFiles") AS "files"',
    ),
    one(
      'Datagrams the media server dropped',
      'Its receive buffers were full.',
      'loadline_server',
      'sum("udpDrops") AS "dropped"',
    ),
    one(
      'Sessions',
      'As the media server counts them, those of others included.',
      'loadline_server',
      'mean("sessions") AS "sessions"',
    ),
    one(
      'Sent by the media server',
      'Embedded server only.',
      'loadline_server',
      '8 * sum("egressBytes") / count("egressBytes") AS "sent"',
      'bps',
      { expr: '8 * avg(avg_over_time(loadline_server_egress_bytes{{ofAll}}[$__interval]))', legend: 'sent' },
    ),
    one(
      'CPU of the probe host',
      'All that ran on it; a trial whose probes ran out of CPU is void.',
      'loadline_host',
      'mean("busyPercent") AS "busy", max("busyPercent") AS "busiest"',
      'percent',
    ),
    one(
      'CPU of the browsers, and stolen',
      'In cores; stolen is what a hypervisor took.',
      'loadline_host',
      'mean("probeCores") AS "browsers", mean("stealCores") AS "stolen"',
    ),
    one(
      'Memory left on the probe host',
      'MemAvailable.',
      'loadline_host',
      'min("memoryAvailableMb") AS "left"',
      'decmbytes',
    ),
    table({
      title: 'Load of each trial',
      description: 'Over the measured window.',
      targets: [
        rows({
          select:
            '"size", "serverCoresMean", "serverRssMbMax", "probeHostBusyPercentMean", "probeHostBusyPercentMax", "probeCoresMean"',
          from: 'loadline_trial',
          where: [...chosen],
          by: ['trial', 'verdict'],
        }),
      ],
    }),
    { row: 'TURN server', folded: true },
    one(
      'CPU of the TURN server',
      'In cores; of one that Loadline started.',
      'loadline_turn',
      'mean("cpuCores") AS "cores"',
    ),
    one('Memory of the TURN server', 'Resident.', 'loadline_turn', 'mean("rssMb") AS "resident"', 'decmbytes'),
    one(
      'Relays and drops of the TURN server',
      'Relay addresses that are open, and datagrams dropped because its receive buffers were full.',
      'loadline_turn',
      'max("allocations") AS "relays", sum("udpDrops") AS "dropped"',
    ),
  ],
};
