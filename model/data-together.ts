import { type Rule, refused, withOneOf } from './asked-together.js';
import { comeAndGo } from './load.js';
import { oneOut } from './remedy.js';

/** Who sends messages on data channels, and by which server: the first that refuses is told. */
const rules: readonly Rule[] = [
  refused(
    ({ players: { kind } }) => kind !== 'full' && kind !== 'encoded' && kind !== 'visiting',
    ({ players: { kind } }) => ({
      text: `--data is for --media full or encoded, not ${kind === 'signalling' ? 'none' : kind}.`,
      where: ['--data', '--media'],
      why: kind === 'signalling' ? 'nobody sends anything there' : 'these probes open no data channels',
      todo: [...['full', 'encoded'].map((media) => ({ give: { '--media': media } })), { leave: ['--data'] }],
    }),
  ),
  refused(
    ({ server }) => !server.abilities.dataChannels,
    ({ server }) => ({
      text: `--data is not for ${server.inWords}.`,
      where: ['--data', '--server'],
      why: 'how its data channels reach the others was not tried',
      todo: [{ leave: ['--data'] }, 'measure a server of another kind'],
    }),
  ),
  refused(
    ({ laidOut }) => laidOut.sessions(laidOut.baselineSize).some(({ shape }) => shape !== 'forward'),
    ({ scenario: { name }, forwarding }) => ({
      text: `--data is not for ${name}.`,
      where: ['--data', name],
      why: 'its server mixes or answers, and hands no messages on',
      todo: [{ measure: forwarding }, { leave: ['--data'] }],
    }),
  ),
  refused(({ load }) => comeAndGo(load), {
    text: '--data does not go with people who come and go.',
    where: ['--data', '--by'],
    why: 'messages of somebody who has left would count as lost',
    todo: oneOut('--data', '--by'),
  }),
  refused(({ given }) => given.has('drill'), {
    text: '--data does not go with --drill.',
    where: ['--data', '--drill'],
    why: 'messages of a server that was taken away would count as lost',
    todo: oneOut('--data', '--drill'),
  }),
];

export const dataRules: readonly Rule[] = rules.map((rule) => withOneOf(['data'], rule));
