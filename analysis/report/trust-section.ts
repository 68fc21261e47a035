import type { Manifest } from '../../model/run.js';
import { numberNear, plural } from '../judge/wording.js';
import type { FinishedRun } from '../result.js';
import { lowBaseline, type Tally, talliesOf, trustOf, voidTrials } from '../summary.js';
import { countOf } from './headline.js';
import { wrap } from './layout.js';
import { percentText } from './quantity.js';
import type { TextStyle } from './style.js';

const mostDiscardedNamed = 3;

/** How far to trust the answer: what it rests on, and what weakens it. */
export function trustSection(run: FinishedRun, style: TextStyle): string[] {
  const sentences = [
    ...placeSentences(run.manifest),
    ...repeatSentences(run),
    ...discardedSentences(run),
    ...sampleSentences(run),
    ...baselineSentences(run),
  ];
  return [style.bold('  How far to trust this'), ...sentences.flatMap((sentence) => wrap(sentence, 4, 80, 2))];
}

function placeSentences({ server, host }: Manifest): string[] {
  const shared = server.sameHost
    ? [
        `Server and probes share this machine of ${host.cores} cores: the limit is the machine's, not the server's alone.`,
      ]
    : [];
  switch (server.kind) {
    case 'simulated':
      return ['The samples are simulated: no media server and no browser took part.'];
    case 'embedded':
      return [...shared, 'The embedded server is for trying the tool: its limit says nothing about other servers.'];
    case 'kurento':
      return shared;
  }
}

function repeatSentences(run: FinishedRun): string[] {
  const { stable, unstable, flaky } = run.answer;
  const tallies = new Map(talliesOf(run.records).map((tally) => [tally.size, tally]));
  const sizes = [...new Set([stable, ...flaky, ...(unstable === null ? [] : [unstable])])];
  return sizes.flatMap((size) => {
    const tally = tallies.get(size);
    return tally && tally.judged > 0 ? tallySentence(run, tally) : [];
  });
}

function tallySentence(run: FinishedRun, tally: Tally): string {
  const what = countOf(run, tally.size);
  if (tally.stable === 0) return `${what}: unstable in ${tally.judged} of ${plural(tally.judged, 'trial')}.`;
  const share = numberNear(Math.floor(100 * tally.stableShareAtLeast + 0.5));
  return `${what}: stable in ${tally.stable} of ${plural(tally.judged, 'trial')}, so at least ${share} % of the time at 95 % confidence.`;
}

function discardedSentences(run: FinishedRun): string[] {
  const trials = voidTrials(run.records);
  if (trials.length === 0) return ['No trial was discarded.'];
  const named = trials.slice(0, mostDiscardedNamed).map((trial) => {
    const why = trial.verdict.reasons[0]?.text ?? 'No reason was recorded.';
    return `Discarded: trial ${trial.index} (${countOf(run, trial.size)}). ${why}`;
  });
  const rest = trials.length - named.length;
  return rest > 0 ? [...named, `Discarded as well: ${plural(rest, 'other trial')}.`] : named;
}

function sampleSentences({ records }: FinishedRun): string[] {
  const trust = trustOf(records);
  const { samplesExpected, samplesGot, lateMsMax, hostBusyPercentMean, hostBusyPercentMax } = trust;
  const late = lateMsMax === undefined ? '' : `, the latest ${numberNear(lateMsMax)} ms late`;
  const samples =
    samplesExpected > 0
      ? [`Samples: ${percentText(samplesGot / samplesExpected)} of ${samplesExpected} arrived${late}.`]
      : ['No samples were taken in a judged trial.'];
  if (hostBusyPercentMean === undefined) return [...samples, 'The CPU of the probe host could not be read.'];
  const peak = hostBusyPercentMax === undefined ? '' : `, ${numberNear(hostBusyPercentMax)} % in its worst second`;
  return [...samples, `Probe host: ${numberNear(hostBusyPercentMean)} % CPU in its busiest judged trial${peak}.`];
}

function baselineSentences(run: FinishedRun): string[] {
  const low = lowBaseline(run);
  if (!low) return [];
  return [
    `The baseline is low: one session alone sent video at ${numberNear(low.kbps)} kbit/s of the ${low.media.videoKbps} asked for, and larger sizes were measured against that.`,
  ];
}
