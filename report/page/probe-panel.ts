import type { Artifacts, CurveName, ProbeRow } from '../wire/trial-data.js';
import { el, figure } from './dom.js';
import { wordsOf } from './probe-bars.js';
import { timeChart } from './time-chart.js';
import type { Trial } from './unpack.js';

const colours = ['accent', 'second', 'third'];

/** Everything that is known of one probe. */
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
      lines: names.map(([name, label], at) => ({
        label,
        values: trial.curve(name, index),
        colour: colours[at] ?? 'accent',
      })),
    });
  return el(
    'div',
    { class: 'probe-panel' },
    el('p', { class: 'probe-words' }, wordsOf(probe), joinWords(probe)),
    companions(trial, probe, onProbe),
    probe.reasons.length === 0
      ? undefined
      : el(
          'ul',
          { class: 'reasons' },
          probe.reasons.map((text) => el('li', {}, text)),
        ),
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
      ]),
    ),
    probe.artifacts ? artifacts(probe, probe.artifacts) : undefined,
  );
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
  const page = links(({ page: number }) => number === probe.page);
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
    el('h4', {}, `Kept of ${id} when it failed`),
    picture === undefined ? undefined : el('img', { src: picture, alt: `What ${id} saw when it failed` }),
    texts.map(({ name, text }) => el('details', {}, el('summary', {}, name), el('pre', { tabindex: '0' }, text))),
  );
}
