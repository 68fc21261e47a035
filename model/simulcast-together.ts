import type { AskedTogether, Rule, TogetherRefusal } from './asked-together.js';
import type { VideoCodec } from './codec.js';
import { type Session, sendPictures } from './scenario.js';

/** RFC 8853 is of any codec; of these servers choose a layer by what they know of its key frames. */
const codecs: readonly VideoCodec[] = ['VP8', 'H264'];

/** Who sends layers, and who takes them: the first that refuses is told. */
export const simulcastRules: readonly Rule[] = [
  ofLayers(({ players: { kind } }) =>
    kind === 'encoded' || kind === 'signalling'
      ? {
          text: `--simulcast is for --media full or native, not ${kind === 'encoded' ? kind : 'none'}.`,
          where: ['--simulcast', '--media'],
          why:
            kind === 'encoded'
              ? 'these probes replace the frames of a tiny camera, of which Chromium makes one layer'
              : 'nobody sends anything there',
          todo: 'give --media full or native, or leave --simulcast out',
        }
      : undefined,
  ),
  ofLayers(({ players, codec }) =>
    players.kind === 'native' && codec !== 'VP8'
      ? {
          text: `--simulcast does not go with --media native and --codec ${codec}.`,
          where: ['--simulcast', '--media', '--codec'],
          why: 'without a browser the size of pictures is read from key frames of VP8',
          todo: 'give --codec VP8, or --media full',
        }
      : undefined,
  ),
  ofLayers(({ server }) =>
    server.abilities.simulcastRids
      ? undefined
      : {
          text: `--simulcast is not for ${server.inWords}.`,
          where: ['--simulcast', '--server'],
          why: 'it takes one layer of each video',
          todo: 'leave it out, or measure a server that takes layers',
        },
  ),
  ofLayers(({ scenario, laidOut }) =>
    laidOut.sessions(laidOut.baselineSize).every(takesLayers)
      ? undefined
      : {
          text: `--simulcast is not for ${scenario.name}.`,
          where: ['--simulcast', scenario.name],
          why: 'nobody there asks for a layer of a video',
          todo: 'measure a scenario in which pictures are forwarded',
        },
  ),
  ofLayers(({ codec }) =>
    codecs.includes(codec)
      ? undefined
      : {
          text: `--simulcast does not go with --codec ${codec}.`,
          where: ['--simulcast', '--codec'],
          todo: `give --codec ${codecs.join(' or ')}`,
        },
  ),
  ofLayers(({ records }) =>
    records
      ? {
          text: '--simulcast does not go with recordings.',
          where: ['--simulcast', '--record'],
          why: 'which of the layers a server writes down is its own affair',
          todo: 'add --no-record, or leave --simulcast out',
        }
      : undefined,
  ),
];

const takesLayers = ({ shape, participants }: Session): boolean => shape === 'forward' && sendPictures(participants);

function ofLayers(rule: (asked: AskedTogether) => TogetherRefusal | undefined): Rule {
  return (asked) => (asked.given.has('simulcast') ? rule(asked) : undefined);
}
