import type { Command } from 'commander';
import { isEncodable, videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import type { Plan } from '../../model/plan.js';
import { readTogether } from './together.js';
import { share, type WrittenFlags, word } from './written.js';

/** What probes send, as words. */
export interface MediaFlags {
  readonly media: string;
  readonly fullShare?: string;
  readonly codec: string;
}

type MediaPlan = Pick<Plan, 'encoded'> & { readonly media: Pick<Plan['media'], 'videoCodec'> };

export function addMediaFlags(command: Command): Command {
  return command
    .option('--media <kind>', 'full: each probe encodes and decodes; encoded: it sends what was encoded once', 'full')
    .option('--full-share <share>', 'with --media encoded: so many probes stay full, to compare (default: 0%)')
    .option('--codec <name>', `of video: ${videoCodecs.join(', ')}; encoded media is made for VP8 and H264`, 'VP8');
}

/** How the values of these flags are written. */
export const mediaValues = {
  media: word(['full', 'encoded'], 'must be full or encoded'),
  fullShare: share,
  codec: { ...word(videoCodecs), read: (text, flag) => word(videoCodecs).read(text.toUpperCase(), flag) },
} as const satisfies WrittenFlags;

/** Throws E_USAGE for what does not go together. */
export function readMediaFlags(flags: MediaFlags): MediaPlan {
  const { codec, encoded } = readTogether({
    codec: () => mediaValues.codec.read(flags.codec, '--codec'),
    encoded: () => readEncoded(flags),
  });
  const media = { videoCodec: codec };
  return encoded ? { encoded: { fullShare: isEncodable(codec) ? encoded.fullShare : 1 }, media } : { media };
}

function readEncoded({ media, fullShare }: MediaFlags): Plan['encoded'] {
  if (mediaValues.media.read(media, '--media') === 'encoded') {
    return { fullShare: fullShare === undefined ? 0 : mediaValues.fullShare.read(fullShare, '--full-share') };
  }
  if (fullShare === undefined) return undefined;
  throw new LoadlineError('E_USAGE', '--full-share is for --media encoded: all probes are full.', {
    where: '--full-share, --media',
    todo: 'add --media encoded, or leave it out',
  });
}
