import { type Artifacts, type CurveName, curves, type ProbeRow, type StreamRow } from '../wire/trial-data.js';
import { streamsOf } from './bars.js';
import { el, list } from './dom.js';
import { shareAPage } from './probe-order.js';
import { type ChartLine, timeChart } from './time-chart.js';
import type { Trial } from './unpack.js';
import { figure, placeWords, rateWords, wordsOf } from './words.js';

const colours = ['accent', 'second', 'third', 'fourth'];

export function probePanel(trial: Trial, index: number, onProbe: (index: number) => void): HTMLElement {
  const { data } = trial;
  const probe = data.probes[index];
  if (!probe) return el('p', { class: 'note' }, 'This trial has no probes.');
  const chart = (title: string, unit: string, names: readonly (readonly [CurveName, string])[]) =>
    timeChart({
      title,
      unit,
      times: trial.times,
      windowS: data.windowS,
      height: 150,
      lines: names
        .flatMap(([name, label]) => linesOf(trial, index, name, label))
        .map((line, at) => ({
          ...line,
          colour: colours[at % colours.length] ?? 'accent',
          dashed: at >= colours.length,
        })),
    });
  const streams = streamsOf(data, index);
  const apart = streams.length > 0 && probe.receivedKbps === undefined;
  return el(
    'div',
    { class: 'probe-panel' },
    el(
      'p',
      { class: 'probe-words' },
      apart ? placeWords(probe) : wordsOf({ probe, figures: probe }, data.limits),
      joinWords(probe),
    ),
    list(
      'streams',
      streams.map((stream) => `${stream.name}: ${rateWords(stream, data.limits)}, ${figure(stream.fps, 'fps')}`),
    ),
    companions(trial, probe, onProbe),
    list('reasons', probe.reasons),
    el(
      'div',
      { class: 'chart-grid' },
      chart('Bitrate', 'kbit/s', [
        ['receivedVideoKbps', 'video received'],
        ['sentVideoKbps', 'video sent'],
        ['receivedAudioKbps', 'audio received'],
      ]),
      chart('Loss', '%', [
        ['videoLossPercent', 'video'],
        ['audioLossPercent', 'audio'],
        ['upLossPercent', 'on the way up'],
      ]),
      chart('Frame rate', 'fps', [['fps', 'received']]),
      chart('Delay', 'ms', [
        ['rttMs', 'round trip'],
        ['jitterMs', 'jitter'],
        ['delayMs', 'one way'],
      ]),
    ),
    probe.artifacts ? artifacts(probe, probe.artifacts) : undefined,
  );
}

type Line = Pick<ChartLine, 'label' | 'values'>;

/** The curve of a probe, and beside or instead of it those of its streams that have their own. */
function linesOf(trial: Trial, index: number, name: CurveName, label: string): Line[] {
  const of = curves.find((curve) => curve.name === name)?.of;
  const isApart = ({ probe, kind }: StreamRow) => probe === index && (of === 'stream' || of === kind);
  const apart = trial.data.streams.flatMap((stream, at): readonly Line[] => {
    if (!isApart(stream)) return [];
    const values = trial.streamCurve(name, at);
    return [{ label: of === 'stream' ? `${label}, ${stream.name}` : stream.name, values }];
  });
  const values = trial.curve(name, index);
  const isAllApart = apart.length > 0 && values.every((value) => value === null);
  return [...(isAllApart ? [] : [{ label, values }]), ...apart];
}

function joinWords({ joinMs, firstFrameMs, up }: ProbeRow): string {
  if (!up && joinMs === undefined) return '. It did not come up.';
  const seconds = (ms: number | undefined) => figure(ms === undefined ? undefined : ms / 1000, 's');
  return `. Connected after ${seconds(joinMs)}, first frame ${seconds(firstFrameMs)} after its sources had started.`;
}

/** The others of its session and of its page, each a step away. */
function companions({ data }: Trial, probe: ProbeRow, onProbe: (index: number) => void): HTMLElement {
  const links = (isOne: (other: ProbeRow) => boolean) =>
    data.probes
      .map((other, index) => ({ other, index }))
      .filter(({ other }) => other !== probe && isOne(other))
      .slice(0, 12)
      .map(({ other, index }) => {
        const button = el(
          'button',
          { type: 'button', class: 'link' },
          `${other.id}${other.reasons.length > 0 ? ' ✗' : ''}`,
        );
        button.addEventListener('click', () => onProbe(index));
        return [button, ' '];
      });
  const session = links(({ session: name }) => name === probe.session);
  const page = links((other) => shareAPage(other, probe));
  return el(
    'p',
    { class: 'companions' },
    session.length > 0 ? ['In its session: ', ...session] : undefined,
    page.length > 0 ? ['On its page: ', ...page] : undefined,
  );
}

function artifacts({ id }: ProbeRow, { picture, texts }: Artifacts): HTMLElement {
  return el(
    'div',
    { class: 'artifacts' },
    el('h4', {}, `Kept of ${id}`),
    picture === undefined ? undefined : el('img', { src: picture, alt: `What ${id} saw` }),
    texts.map(({ name, text }) => el('details', {}, el('summary', {}, name), el('pre', { tabindex: '0' }, text))),
  );
}
