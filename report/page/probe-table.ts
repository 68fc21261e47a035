import type { ProbeRow, StreamRow, TrialData } from '../wire/trial-data.js';
import { streamsOf } from './bars.js';
import { el, table } from './dom.js';
import { figure } from './words.js';

/** Every probe with its figures, and below it its streams that stand alone; a name shows its curves. */
export function probeTable({ probes, streams, limits }: TrialData, onProbe: (index: number) => void): HTMLTableElement {
  const layers = [...probes, ...streams].some(({ layer }) => layer !== undefined);
  const hosts = probes.some(({ host }) => host !== undefined);
  const heads = [
    'probe',
    'session',
    'role',
    ...(hosts ? ['host'] : []),
    'browser',
    'page',
    'received, kbit/s',
    'baseline, kbit/s',
    'sent, kbit/s',
    'worst loss, %',
    'resent, %',
    'asked again, /s',
    'fps',
    ...(layers ? ['layer asked for: got'] : []),
    'joined, s',
    'first frame after its sources, s',
    'failing',
  ];
  return table(
    heads,
    probes.flatMap((probe, index) => {
      const button = el('button', { type: 'button', class: 'link' }, probe.id);
      button.addEventListener('click', () => onProbe(index));
      const seconds = (ms: number | undefined) => figure(ms === undefined ? undefined : ms / 1000);
      const host = hosts ? [probe.host ?? ''] : [];
      const layerOf = ({ layer = '–' }: Pick<ProbeRow, 'layer'>) => (layers ? [layer] : []);
      const who = [probe.session, probe.role, ...host, String(probe.browser), String(probe.page)];
      const own = [
        button,
        ...who,
        ...figuresOf(probe, limits),
        ...layerOf(probe),
        seconds(probe.joinMs),
        seconds(probe.firstFrameMs),
        probe.reasons.length > 0 ? 'yes' : probe.up ? 'no' : 'not up',
      ];
      const apart = streamsOf({ streams }, index).map((stream) => [
        `${probe.id}: ${stream.name}`,
        ...who,
        ...figuresOf(stream, limits),
        ...layerOf(stream),
        '–',
        '–',
        stream.reasons.length > 0 ? 'yes' : probe.up ? 'no' : 'not up',
      ]);
      return [own, ...apart];
    }),
  );
}

function figuresOf(
  row: Omit<ProbeRow | StreamRow, 'probe'> & { readonly sentKbps?: number },
  limits: TrialData['limits'],
): readonly string[] {
  const { receivedKbps, baselineReceivedKbps, sentKbps, lossPercent, resentPercent, nacksPerSecond, fps } = row;
  return [
    ...[receivedKbps, baselineReceivedKbps, sentKbps].map((value) => figure(value)),
    figure(lossPercent, '', limits.lossPercent),
    ...[resentPercent, nacksPerSecond, fps].map((value) => figure(value)),
  ];
}
