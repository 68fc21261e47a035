import type { FinishedRun } from '../../model/finished-run.js';
import { givenTo } from '../../model/given-to.js';
import { groupedBy } from '../../model/grouped.js';
import { probeCpusLabel, type StudiedServer, serverCpusLabel } from '../../model/study.js';
import { those } from '../../model/those.js';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import { comparedFacts, isOf } from '../compare/compared-facts.js';
import { streamsOf } from '../measure/trials-at.js';
import { highest, lowest, median } from '../statistics/statistics.js';
import { capital, numberNear, plural } from '../wording/wording.js';

/** The runs of one server under one load. */
interface ServerRuns {
  readonly server: string;
  readonly runs: readonly FinishedRun[];
  /** What the study gave it. */
  readonly given?: Pick<StudiedServer, 'cores' | 'memoryBytes'>;
}

/** Rates that differ by more than this are another load. */
const ratesApart = 1.1;
/** Steal above it disturbs a trial (`judge/host-reasons.ts` makes it void far above). */
const stolenPercentMost = 5;
/** The same baseline, in CPU of the probes. */
const baselineApart = 1.25;

/** What was not alike between the servers of a table, by what their runs have measured. */
export function unlikeSentences(servers: readonly ServerRuns[]): string[] {
  const there = servers.filter(({ runs }) => runs.length > 0);
  const [first] = there;
  if (!first) return [];
  return [
    ...factSentences(there),
    ...unseenSentences(there),
    ...(['video', 'audio'] as const).flatMap((kind) => [
      ...rateSentences(there, { kind, direction: 'send' }),
      ...rateSentences(there, { kind, direction: 'receive' }),
    ]),
    ...coreSentences(there),
    ...warmUpSentences(there),
    ...voidSentences(there),
    ...stealSentences(there),
    ...baselineSentences(there),
    ...sharedHostSentences(there),
  ];
}

/** What was asked and what was there: media, limits, machine, versions, and what each server was given. */
function factSentences(servers: readonly ServerRuns[]): string[] {
  const owners = servers.flatMap(({ server, runs }) => runs.map(() => server));
  const facts = comparedFacts(servers.flatMap(({ runs }) => runs));
  return facts
    .filter((fact) => !fact.same && !isOf('server', fact))
    .map(({ label, values }) => {
      const each = groupedBy(
        values.map((value, nth) => ({ value, server: owners[nth] ?? '' })),
        ({ server }) => server,
      );
      const texts = [...each].map(
        ([server, own]) => `${server} ${[...new Set(own.map(({ value }) => value))].join(' and ')}`,
      );
      return `Not the same for all: ${label} (${texts.join(', ')}).`;
    });
}

/** A command may start its server outside of its control group, as `docker run` does: then nothing held it. */
function unseenSentences(servers: readonly ServerRuns[]): string[] {
  const unseen = servers.filter(({ runs, given }) =>
    runs.some(({ manifest }) => {
      const { cores, memoryMb } = givenTo(manifest.server);
      return (
        (given?.cores && (cores === undefined || cores > given.cores)) || (given?.memoryBytes && memoryMb === undefined)
      );
    }),
  );
  return unseen.map(({ server }) => `No run shows that ${server} was held to the cores or memory that it was given.`);
}

type StreamsOf = Pick<StreamSummary, 'kind' | 'direction'>;

/**
 * Measured and not asked: a server that tells senders to send less carries less. By the middle stream of each server.
 */
function rateSentences(servers: readonly ServerRuns[], of: StreamsOf): string[] {
  const rates = servers.map(({ server, runs }) => ({ server, rate: rateOf(runs, of) }));
  const known = rates.flatMap(({ rate }) => rate ?? []);
  const [low, high] = [lowest(known), highest(known)];
  const what = `${of.kind === 'video' ? 'video' : 'sound'} ${of.direction === 'send' ? 'sent to' : 'received from'}`;
  const unknown = rates.filter(({ rate }) => rate === undefined).map(({ server }) => server);
  if (low === undefined || high === undefined) {
    const isExpected = servers.some(({ runs }) => streamsOf(stableTrials(runs), of).length > 0);
    return isExpected ? [`The rate of ${what} the servers was not measured.`] : [];
  }
  const texts = rates.flatMap(({ server, rate }) => (rate === undefined ? [] : [`${server} ${numberNear(rate)}`]));
  return those(
    high > ratesApart * low && `${capital(what)} the servers had not the same rate (kbit/s): ${texts.join(', ')}.`,
    unknown.length > 0 && `The rate of ${what} ${unknown.join(', ')} was not measured.`,
  );
}

function rateOf(runs: readonly FinishedRun[], of: StreamsOf): number | undefined {
  return median(streamsOf(stableTrials(runs), of).flatMap(({ values }) => values.bitrateKbps ?? []));
}

/** Which cores server and probes were allowed, as the kernel says it of their processes. */
function coreSentences(servers: readonly ServerRuns[]): string[] {
  const told = servers.map(({ server, runs }) => {
    const labels = runs.map(({ manifest }) => manifest.labels ?? {});
    const listsOf = (label: string) => [...new Set(labels.map((one) => one[label] ?? '–'))];
    return { server, own: listsOf(serverCpusLabel), probes: listsOf(probeCpusLabel) };
  });
  const differing = (words: string, read: (one: (typeof told)[number]) => readonly string[]) => {
    const texts = told.map((one) => `${one.server} ${read(one).join(' and ')}`);
    return new Set(told.flatMap(read)).size === 1 ? [] : [`Not the same for all: ${words} (${texts.join(', ')}).`];
  };
  const shared = told.filter(({ own, probes }) =>
    own.some((list) => probes.some((other) => coresIn(list).some((core) => coresIn(other).includes(core)))),
  );
  return [
    ...differing('cores that the server may run on', ({ own }) => own),
    ...differing('cores that the probes may run on', ({ probes }) => probes),
    ...(shared.length === 0
      ? []
      : [`Probes and server may run on the same cores: ${shared.map(({ server }) => server).join(', ')}.`]),
  ];
}

/** Of "0+2-3": 0, 2 and 3. */
function coresIn(list: string): number[] {
  return list.split('+').flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split('-').map(Number);
    return Number.isInteger(from) && Number.isInteger(to)
      ? Array.from({ length: to - from + 1 }, (_, nth) => from + nth)
      : [];
  });
}

function stableTrials(runs: readonly FinishedRun[]): TrialRecord[] {
  return runs.flatMap(({ records }) => records.filter(({ verdict }) => verdict.kind === 'stable'));
}

function warmUpSentences(servers: readonly ServerRuns[]): string[] {
  const isWarmed = ({ records }: FinishedRun) => records.some(({ warmUp }) => warmUp !== undefined);
  const warmed = servers.map(({ server, runs }) => ({ server, of: runs.length, count: runs.filter(isWarmed).length }));
  if (warmed.every(({ count }) => count === 0) || warmed.every(({ of, count }) => of === count)) return [];
  const texts = warmed.map(({ server, of, count }) => `${server} in ${count} of ${of} runs`);
  return [`Not all were warmed up before they were judged: ${texts.join(', ')}.`];
}

/** They say nothing of the server, and much of the machine. */
function voidSentences(servers: readonly ServerRuns[]): string[] {
  const counts = servers.map(({ server, runs }) => {
    const trials = runs.flatMap(({ records }) => records);
    return { server, of: trials.length, count: trials.filter(({ verdict }) => verdict.kind === 'void').length };
  });
  if (counts.every(({ count }) => count === 0)) return [];
  return [`Trials that were void: ${counts.map(({ server, of, count }) => `${server} ${count} of ${of}`).join(', ')}.`];
}

function stealSentences(servers: readonly ServerRuns[]): string[] {
  return servers.flatMap(({ server, runs }) => {
    const stolen = runs.flatMap(({ records }) => records.flatMap(({ load }) => load.probeHostStolenPercentMean ?? []));
    const most = highest(stolen);
    if (most === undefined || most <= stolenPercentMost) return [];
    const often = stolen.filter((one) => one > stolenPercentMost).length;
    return [
      `Other virtual machines took up to ${numberNear(most)} % of the probe host's CPU from ${server}, and more than ${stolenPercentMost} % in ${often} of ${plural(stolen.length, 'trial')}.`,
    ];
  });
}

/** The smallest size is the same load each time: what it costs the probes says how still the machine was. */
function baselineSentences(servers: readonly ServerRuns[]): string[] {
  return servers.flatMap(({ server, runs }) => {
    const smallest = lowest(stableTrials(runs).map(({ size }) => size));
    const cores = runs.flatMap(
      (run) => stableTrials([run]).find(({ size }) => size === smallest)?.load.probeCoresMean ?? [],
    );
    const [low, high] = [lowest(cores), highest(cores)];
    if (cores.length < 2 || low === undefined || high === undefined || high <= baselineApart * low) return [];
    return [
      `The machine was not still: the smallest size on ${server} took the probes ${numberNear(low)} to ${numberNear(high)} cores, from round to round.`,
    ];
  });
}

function sharedHostSentences(servers: readonly ServerRuns[]): string[] {
  const shares = servers.filter(({ runs }) => runs.some(({ manifest }) => manifest.server.sameHost));
  if (shares.length === 0) return [];
  return [
    `Probes and ${shares.map(({ server }) => server).join(', ')} share a machine: without a limit of its own a server's limit is the machine's.`,
  ];
}
