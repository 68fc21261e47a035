import { type Rule, refused, withOneOf } from './asked-together.js';
import type { VideoCodec } from './codec.js';
import type { Typing } from './remedy.js';
import { forwardsPictures } from './simulcast-together.js';

/** Beside another remedy, so that it does not lead to a refusal of the codec. */
const otherCodec = ([first, ...more]: readonly VideoCodec[] = [], codec: VideoCodec): Typing =>
  first === undefined || [first, ...more].includes(codec) ? {} : { '--codec': first };

/** Who sends layers within one stream, and who takes them: the first that refuses is told. */
const rules: readonly Rule[] = [
  refused(
    ({ players: { kind } }) => kind !== 'full' && kind !== 'visiting',
    ({ players: { kind }, server: { abilities }, codec }) => ({
      text: `--svc is for --media full, not ${kind === 'signalling' ? 'none' : kind}.`,
      where: ['--svc', '--media'],
      why:
        kind === 'signalling'
          ? 'nobody sends anything there'
          : 'these probes send clips of VP8 and H264, which have no spatial layers within a stream',
      todo: [{ give: { '--media': 'full', ...otherCodec(abilities.spatialLayersOf, codec) } }, { leave: ['--svc'] }],
    }),
  ),
  refused(
    ({ given }) => given.has('simulcast'),
    ({ server: { abilities }, codec }) => ({
      text: '--svc does not go with --simulcast.',
      where: ['--svc', '--simulcast'],
      why: 'layers are within one stream, or each is a stream',
      todo: [{ leave: ['--svc'] }, { leave: ['--simulcast'], give: otherCodec(abilities.spatialLayersOf, codec) }],
    }),
  ),
  refused(
    ({ server: { abilities } }) => !abilities.spatialLayersOf,
    ({ server: { inWords } }) => ({
      text: `--svc is not for ${inWords}.`,
      where: ['--svc', '--server'],
      why: 'it hands on whole streams, or its layers were not tried',
      todo: [{ leave: ['--svc'] }, 'measure a server that hands on single layers of a stream'],
    }),
  ),
  refused(
    ({ server: { abilities }, codec }) => abilities.spatialLayersOf?.includes(codec) !== true,
    ({ server: { abilities, inWords }, codec }) => ({
      text: `--svc does not go with --codec ${codec} on ${inWords}.`,
      where: ['--svc', '--codec'],
      todo: abilities.spatialLayersOf?.map((one) => ({ give: { '--codec': one } })) ?? [],
    }),
  ),
  refused(
    (asked) => !forwardsPictures(asked),
    ({ scenario: { name }, forwarding }) => ({
      text: `--svc is not for ${name}.`,
      where: ['--svc', name],
      why: 'nobody there asks for a layer of a video',
      todo: [{ measure: forwarding }, { leave: ['--svc'] }],
    }),
  ),
];

export const svcRules: readonly Rule[] = rules.map((rule) => withOneOf(['svc'], rule));
