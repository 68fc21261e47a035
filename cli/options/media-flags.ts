import type { Command } from 'commander';
import { isEncodable, videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import { addSentinelFlag, readNative, readSentinelCount, sentinels } from './native-flags.js';
import { readTogether } from './together.js';
import { count, share, type WrittenFlags, word } from './written.js';

/** What probes send, as words. */
export interface MediaFlags {
  readonly media: string;
  readonly fullShare?: string;
  readonly sentinels?: string;
  readonly codec: string;
  readonly videoKbps: string;
}

const usualKbps = mediaSchema.parse({}).videoKbps;
/** An encoder drops frames of our size below; above, the camera's clip has not enough in it to fill what is allowed. */
const videoKbpsRange = { from: 100, to: 2500 };

type MediaPlan = Pick<Plan, 'encoded' | 'native' | 'signallingOnly' | 'sentinels'> & {
  readonly media: Pick<Plan['media'], 'videoCodec' | 'videoKbps'>;
};

export function addMediaFlags(command: Command): Command {
  return addSentinelFlag(command)
    .option(
      '--media <kind>',
      'full: each probe encodes and decodes; encoded: it sends what was encoded once; native: most have no browser; none: it signals alone',
      'full',
    )
    .option('--full-share <share>', 'with --media encoded: so many probes stay full, to compare (default: 0%)')
    .option('--codec <name>', `of video: ${videoCodecs.join(', ')}; encoded media is made for VP8 and H264`, 'VP8')
    .option('--video-kbps <n>', 'ceiling of the video that each probe sends, kbit/s', String(usualKbps));
}

/** How the values of these flags are written. */
export const mediaValues = {
  media: word(['full', 'encoded', 'native', 'none'], 'must be full, encoded, native or none'),
  fullShare: share,
  sentinels,
  videoKbps: count(videoKbpsRange),
  codec: { ...word(videoCodecs), read: (text, flag) => word(videoCodecs).read(text.toUpperCase(), flag) },
} as const satisfies WrittenFlags;

/** Throws E_USAGE for what does not go together. */
export function readMediaFlags(flags: MediaFlags): MediaPlan {
  const isNone = flags.media === 'none';
  const { codec, videoKbps, encoded, native, beside } = readTogether({
    codec: () => mediaValues.codec.read(flags.codec, '--codec'),
    videoKbps: () => mediaValues.videoKbps.read(flags.videoKbps, '--video-kbps'),
    encoded: () => readEncoded(flags),
    native: () => (isNone ? undefined : readNative(flags, mediaValues.media.read(flags.media, '--media') === 'native')),
    beside: () => (isNone ? readSentinelCount(flags) : undefined),
  });
  const media = { videoCodec: codec, videoKbps };
  if (native) return { native, media };
  if (isNone) return { signallingOnly: true, media, ...(beside === undefined ? {} : { sentinels: beside }) };
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
