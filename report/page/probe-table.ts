import type { TrialData } from '../wire/trial-data.js';
import { el, figure, table } from './dom.js';

/** Every probe with its figures; a name shows its curves. */
export function probeTable({ probes }: TrialData, onProbe: (index: number) => void): HTMLTableElement {
  const heads = [
    'probe',
    'session',
    'role',
    'browser',
    'page',
    'received, kbit/s',
    'baseline, kbit/s',
    'sent, kbit/s',
    'loss after resending, %',
    'resent, %',
    'asked again, /s',
    'fps',
    'joined, s',
    'first frame, s',
    'failing',
  ];
  return table(
    heads,
    probes.map((probe, index) => {
      const button = el('button', { type: 'button', class: 'link' }, probe.id);
      button.addEventListener('click', () => onProbe(index));
      const seconds = (ms: number | undefined) => figure(ms === undefined ? undefined : ms / 1000);
      return [
        button,
        probe.session,
        probe.role,
        String(probe.browser),
        String(probe.page),
        figure(probe.receivedKbps),
        figure(probe.baselineReceivedKbps),
        figure(probe.sentKbps),
        figure(probe.lossPercent),
        figure(probe.resentPercent),
        figure(probe.nacksPerSecond),
        figure(probe.fps),
        seconds(probe.joinMs),
        seconds(probe.firstFrameMs),
        probe.reasons.length > 0 ? 'yes' : probe.up ? 'no' : 'not up',
      ];
    }),
  );
}
