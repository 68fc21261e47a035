import { type AskedTogether, type FlagTogether, type Rule, refused, withOneOf } from './asked-together.js';
import type { VideoCodec } from './codec.js';
import { comeAndGo } from './load.js';
import { oneOut } from './remedy.js';
import { type Session, sendPictures } from './scenario.js';

/** RFC 8853 is of any codec; of these servers choose a layer by what they know of its key frames. */
const codecs: readonly VideoCodec[] = ['VP8', 'H264'];

/** Who sends layers, and who takes them: the first that refuses is told. */
const rules: readonly Rule[] = [
  refused(
    ({ players: { kind } }) => kind === 'encoded' || kind === 'signalling',
    ({ players: { kind }, codec }) => ({
      text: `--simulcast is for --media full or native, not ${kind === 'encoded' ? kind : 'none'}.`,
      where: ['--simulcast', '--media'],
      why:
        kind === 'encoded'
          ? 'these probes replace the frames of a tiny camera, of which Chromium makes one layer'
          : 'nobody sends anything there',
      todo: [
        ...(codecs.includes(codec)
          ? ['full', 'native'].map((media) => ({ give: { '--media': media } }))
          : [{ give: { '--media': 'full', '--codec': 'VP8' } }]),
        { leave: ['--simulcast'] },
      ],
    }),
  ),
  refused(
    ({ players, codec }) => players.kind === 'native' && codec !== 'VP8',
    ({ codec }) => ({
      text: `--simulcast does not go with --media native and --codec ${codec}.`,
      where: ['--simulcast', '--media', '--codec'],
      why: 'without a browser the size of pictures is read from key frames of VP8',
      todo: [{ give: { '--codec': 'VP8' } }, { give: { '--media': 'full' } }],
    }),
  ),
  refused(
    ({ server }) => !server.abilities.simulcastRids,
    ({ server }) => ({
      text: `--simulcast is not for ${server.inWords}.`,
      where: ['--simulcast', '--server'],
      why: 'it takes one layer of each video',
      todo: [{ leave: ['--simulcast'] }, 'measure a server that takes layers'],
    }),
  ),
  refused(
    (asked) => !forwardsPictures(asked),
    ({ scenario: { name }, forwarding }) => ({
      text: `--simulcast is not for ${name}.`,
      where: ['--simulcast', name],
      why: 'nobody there asks for a layer of a video',
      todo: [{ measure: forwarding }, { leave: ['--simulcast'] }],
    }),
  ),
  refused(
    ({ codec }) => !codecs.includes(codec),
    ({ codec }) => ({
      text: `--simulcast does not go with --codec ${codec}.`,
      where: ['--simulcast', '--codec'],
      todo: codecs.map((one) => ({ give: { '--codec': one } })),
    }),
  ),
];

const changing: readonly FlagTogether[] = ['layout', 'visible'];
const flagOf = ({ given }: AskedTogether): string => `--${changing.find((flag) => given.has(flag))}`;

/** Who asks for another layer while it is there, or for none. */
const changingRules: readonly Rule[] = [
  refused(
    ({ server }) => !server.abilities.layersChange,
    (asked) => ({
      text: `${flagOf(asked)} is not for ${asked.server.inWords}.`,
      where: [flagOf(asked), '--server'],
      why: 'who receives there cannot ask for no video, and for another layer later',
      todo: [{ leave: [flagOf(asked)] }, 'measure a server that takes such asks'],
    }),
  ),
  refused(
    ({ load }) => comeAndGo(load),
    (asked) => ({
      text: `${flagOf(asked)} does not go with people who come and go.`,
      where: [flagOf(asked), '--by'],
      why: 'what is shown changes where all stay',
      todo: oneOut(flagOf(asked), '--by'),
    }),
  ),
];

const takesLayers = ({ shape, participants }: Session): boolean => shape === 'forward' && sendPictures(participants);

/** Whether pictures are forwarded in all sessions, to receivers that may ask for a layer. */
export const forwardsPictures = ({ laidOut }: Pick<AskedTogether, 'laidOut'>): boolean =>
  laidOut.sessions(laidOut.baselineSize).every(takesLayers);

export const simulcastRules: readonly Rule[] = [
  ...rules.map((rule) => withOneOf(['simulcast'], rule)),
  ...changingRules.map((rule) => withOneOf(changing, rule)),
];
