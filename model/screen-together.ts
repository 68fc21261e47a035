import { type Rule, refused, withOneOf } from './asked-together.js';
import { membersCome, notWhereMembersCome } from './crowd-together.js';
import { oneOut } from './remedy.js';
import { forwardsPictures } from './simulcast-together.js';

/** Where a screen can be shared: the first that refuses is told. */
const rules: readonly Rule[] = [
  refused(
    ({ players: { kind } }) => kind !== 'full',
    ({ players: { kind } }) => ({
      text: `--screen is for --media full, not ${kind === 'signalling' ? 'none' : kind}.`,
      where: ['--screen', '--media'],
      why:
        kind === 'signalling'
          ? 'nobody sends anything there'
          : 'these probes send a clip of the camera, which has no slides in it',
      todo: [{ give: { '--media': 'full' } }, { leave: ['--screen'] }],
    }),
  ),
  refused(
    (asked) => asked.given.has('audio-only') || !forwardsPictures(asked),
    ({ scenario: { name }, forwarding, given }) => ({
      text: `--screen is not for ${given.has('audio-only') ? '--audio-only' : name}.`,
      where: ['--screen', given.has('audio-only') ? '--audio-only' : name],
      why: 'no pictures are forwarded there',
      todo: given.has('audio-only')
        ? oneOut('--screen', '--audio-only')
        : [{ measure: forwarding }, { leave: ['--screen'] }],
    }),
  ),
  refused(membersCome, ({ scenario: { name } }) => notWhereMembersCome(name, 'screen')),
];

export const screenRules: readonly Rule[] = rules.map((rule) => withOneOf(['screen'], rule));
