import type { Command } from 'commander';
import { isEncodable, videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import type { Players, PlayersOf } from '../../model/players.js';
import { addSentinelFlag, readSentinels, sentinels } from './native-flags.js';
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

interface MediaPlan {
  /** Of those who signal alone, all connections are joined until a flag or the kind of server says otherwise. */
  readonly players: Exclude<Players, PlayersOf<'visiting'>>;
  readonly media: Pick<Plan['media'], 'videoCodec' | 'videoKbps'>;
}

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
  const read = readTogether({
    videoCodec: () => mediaValues.codec.read(flags.codec, '--codec'),
    videoKbps: () => mediaValues.videoKbps.read(flags.videoKbps, '--video-kbps'),
    kind: () => mediaValues.media.read(flags.media, '--media'),
    fullShare: () => readFullShare(flags),
    sentinels: () => readSentinels(flags),
  });
  const { kind, fullShare, sentinels, ...media } = read;
  switch (kind) {
    case 'encoded':
      return { players: { kind, fullShare: isEncodable(media.videoCodec) ? fullShare : 1 }, media };
    case 'none':
      return { players: { kind: 'signalling', sentinels: sentinels.beside, legs: 'all' }, media };
    case 'native':
      return { players: { kind, sentinels: sentinels.among }, media };
    case 'full':
      return { players: { kind }, media };
  }
}

function readFullShare({ media, fullShare }: MediaFlags): number {
  if (fullShare === undefined) return 0;
  if (media === 'encoded') return mediaValues.fullShare.read(fullShare, '--full-share');
  throw new LoadlineError('E_USAGE', '--full-share is for --media encoded: all probes are full.', {
    where: '--full-share, --media',
    todo: 'add --media encoded, or leave it out',
  });
}
