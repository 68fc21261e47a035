import { z } from 'zod';
import { isEncodable, videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import type { Players, PlayersOf } from '../../model/players.js';
import type { Sentinels } from '../../model/sentinels.js';
import { resolution } from './camera-flag.js';
import type { Flags, ValuesOf } from './flag.js';
import { usageError, wrongValue } from './usage-error.js';
import { percentIn, readCount } from './values.js';
import { count, share, type Written, word } from './written.js';

const usual = mediaSchema.parse({});
/** An encoder drops frames of our size below; above, the camera's clip has not enough in it to fill what is allowed. */
const videoKbpsRange = { from: 100, to: 2500 };
/** What is done where nothing is asked. */
const usualSentinels: Sentinels = '5%';
/** They say what the others would see: a sample, and not the load. */
const mostBeside = 256;

/** How many native participants are played by browsers: `8` or `5%`. */
const sentinels: Written<Sentinels> = {
  inPlans: {
    mustBe: 'must be a number of probes or a share: 8 or 5%',
    shape: z.union([z.number().int().min(1), z.string().regex(/^\d+(\.\d+)?%$|^\d+$/)]),
  },
  read: (text, flag) => {
    if (!text.trim().endsWith('%')) return readCount(text, flag, { from: 1 });
    const percent = percentIn(text) ?? Number.NaN;
    if (!(percent <= 100)) throw wrongValue(flag, text, 'must be a share up to 100%, or a number of probes', '10%');
    if (percent > 0) return `${Number(percent.toFixed(6))}%`;
    throw new LoadlineError('E_USAGE', `${flag} is ${text}.`, {
      where: flag,
      why: 'without a browser among them nothing shows what a participant would notice',
      todo: 'give a share above 0%, or a number of probes',
    });
  },
};

export const mediaFlags = {
  media: {
    takes: 'kind',
    about:
      'full: each probe encodes and decodes; encoded: it sends what was encoded once; native: most have no browser; none: it signals alone',
    value: word(['full', 'encoded', 'native', 'none']),
    usual: 'full',
    everyday: true,
  },
  fullShare: {
    about: 'so many probes stay full, to compare (default: 0%)',
    value: share,
    with: '--media encoded',
    because: 'all probes are full',
  },
  sentinels: {
    takes: 'n',
    about:
      'of native probes, so many or such a share of those who receive are browsers, three at least of each role, network and host (default: 5%); beside none, so many browsers in sessions that stay (default: none)',
    value: sentinels,
    with: '--media native or none',
    because: 'browsers play all probes',
  },
  codec: {
    takes: 'name',
    about: `of video: ${videoCodecs.join(', ')}; encoded media is made for VP8 and H264`,
    value: {
      ...word(videoCodecs),
      read: (text: string, flag: string) => word(videoCodecs).read(text.toUpperCase(), flag),
    },
    usual: 'VP8',
  },
  videoKbps: {
    about: 'ceiling of the video that each probe sends, kbit/s',
    value: count(videoKbpsRange),
    usual: `${usual.videoKbps}`,
  },
  resolution: {
    takes: 'size',
    about: `size of the video that each probe sends; above the default with --media full: 1280x720 (default: ${usual.width}x${usual.height})`,
    value: resolution,
  },
} as const satisfies Flags;

interface MediaPlan {
  /** Of those who signal alone, all connections are joined until a flag or the kind of server says otherwise. */
  readonly players: Exclude<Players, PlayersOf<'visiting'>>;
  readonly media: Pick<Plan['media'], 'videoCodec' | 'videoKbps'> & Partial<Plan['media']>;
}

/** Throws E_USAGE. */
export function mediaOf(asked: ValuesOf<typeof mediaFlags>): MediaPlan {
  const { media: kind, codec: videoCodec, videoKbps } = asked;
  const media = { videoCodec, videoKbps, ...asked.resolution };
  if (kind === 'encoded' || kind === 'native') assertEncodable(kind, { ...usual, ...media });
  switch (kind) {
    case 'encoded':
      return { players: { kind, fullShare: isEncodable(videoCodec) ? (asked.fullShare ?? 0) : 1 }, media };
    case 'none':
      return { players: { kind: 'signalling', sentinels: besideOf(asked.sentinels), legs: 'all' }, media };
    case 'native':
      return { players: { kind, sentinels: asked.sentinels ?? usualSentinels }, media };
    case 'full':
      return { players: { kind }, media };
  }
}

/** A Chromium that encodes the clip is given its raw pictures in one message, of up to 100 MB (CDP over a pipe). */
function assertEncodable(kind: 'encoded' | 'native', { width, height }: Plan['media']): void {
  if (width * height <= usual.width * usual.height) return;
  throw usageError(
    `--media ${kind} does not play pictures larger than ${usual.width}x${usual.height}.`,
    ['--media', '--resolution'],
    'give --media full, or smaller pictures',
    'the pictures of a clip are encoded before, and larger ones are too much at once for the browser that does it',
  );
}

/** Beside those who signal alone, a share of whom is nothing. */
function besideOf(asked: Sentinels | undefined): number {
  return asked === undefined ? 0 : readCount(`${asked}`, '--sentinels', { from: 1, to: mostBeside });
}
