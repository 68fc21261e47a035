import { z } from 'zod';
import { isEncodable, scalabilityModes, videoCodecs } from '../../model/codec.js';
import { messageBytes } from '../../model/data-messages.js';
import { largestEncoded } from '../../model/encodable.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import type { Players, PlayersOf } from '../../model/players.js';
import type { Sentinels } from '../../model/sentinels.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { speechPatterns } from '../../model/speech.js';
import { turnTimes } from '../../model/turns.js';
import { pauseMostMs } from '../../model/turns-together.js';
import { resolution } from './camera-flag.js';
import type { Flags, ValuesOf } from './flag.js';
import { layoutFlags, shownOf } from './layout-flags.js';
import { rateOfMessages } from './messages-flag.js';
import { suchAs, usageError, wrongValue } from './usage-error.js';
import { percentIn, readCount, readDuration } from './values.js';
import { count, duration, share, type Written, word } from './written.js';

const usual = mediaSchema.parse({});
/** An encoder drops frames of our size below; above, the camera's clip has not enough in it to fill what is allowed. */
export const videoKbpsRange = { from: 100, to: 2500 };
/** What is done where nothing is asked. */
const usualSentinels: Sentinels = '5%';
/** They say what the others would see: a sample, and not the load. */
const mostBeside = 256;
/** Of each, a picture is kept with the trial. */
const mostSeeing = 8;

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
      todo: [suchAs(flag, '5%'), suchAs(flag, '8')],
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
    because: 'encoded probes alone have full ones among them',
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
    about: `size of the video that each probe sends, as 1280x720; encoded ones send no larger than the default (default: ${usual.width}x${usual.height})`,
    value: resolution,
  },
  simulcast: {
    about:
      'each full or native probe sends its video in three layers, of a quarter, half and all of its width and 8, 24 and 68 % of its rate',
  },
  svc: {
    takes: 'mode',
    about: `each full probe sends its video in layers within one stream of VP9: ${scalabilityModes.join(', ')}`,
    value: word(scalabilityModes),
  },
  ...layoutFlags,
  audioOnly: { about: 'nobody sends pictures' },
  screen: {
    about:
      'one of each session shares a screen, slides at 5 fps, on a connection of its own: who presents, or the first who shows a picture',
  },
  data: {
    takes: 'n/s',
    about: `messages per second that each sender of media also sends on a data channel, of ${messageBytes} bytes`,
    value: rateOfMessages,
  },
  drawMarks: {
    about:
      'full probes draw who they are and the time into their pictures, and read it where they are shown; the marks take bit rate',
    with: '--media full',
    because: 'only these probes draw',
  },
  see: {
    takes: 'n',
    about:
      'so many full probes of each probe host compare a picture a second with the one that was sent, by SSIM, PSNR, and VMAF where ffmpeg has it (default: none)',
    value: count({ from: 1, to: mostSeeing }),
  },
  cameraOff: { about: 'the share of senders, presenters left out, without a picture (default: none)', value: share },
  muted: {
    about: 'the share of senders, presenters left out, whose sound is silence, with DTX (default: none)',
    value: share,
  },
  speech: {
    takes: 'pattern',
    about: 'when who is not mute speaks: p59, in spurts and pauses as by ITU-T P.59, with DTX (default: all the time)',
    value: word(speechPatterns),
  },
  answerAfter: {
    about: 'how long a probe that plays an agent waits before it answers, where the scenario has one (default: 800ms)',
    value: { ...duration, read: readPause },
  },
} as const satisfies Flags;

/** Throws E_DURATION where who asks would not wait so long. */
function readPause(text: string, flag: string): number {
  const pauseMs = readDuration(text, flag, { unit: 's', such: ['500ms', '2s'], mostMs: pauseMostMs });
  if (pauseMs <= pauseMostMs) return pauseMs;
  throw new LoadlineError('E_DURATION', `${flag} must be at most ${pauseMostMs / 1000}s, not "${text}".`, {
    where: flag,
    why: `a question without an answer in ${turnTimes.waitMs / 1000} s counts as unanswered`,
    todo: suchAs(flag, '800ms'),
  });
}

interface MediaPlan {
  /** Of those who signal alone, all connections are joined until a flag or the kind of server says otherwise. */
  readonly players: Exclude<Players, PlayersOf<'visiting'>>;
  readonly media: Pick<Plan['media'], 'videoCodec' | 'videoKbps'> & Partial<Plan['media']>;
}

/**
 * Throws E_USAGE.
 *
 * @param server which layers and data channels it takes; those that it does not are refused elsewhere
 */
export function mediaOf(
  asked: ValuesOf<typeof mediaFlags>,
  { simulcastRids: rids, dataChannels }: Pick<ServerAbilities, 'simulcastRids' | 'dataChannels'> = {},
): MediaPlan {
  const { media: kind, codec: videoCodec, videoKbps, cameraOff, muted, speech } = asked;
  const shown = shownOf(asked);
  const simulcast = asked.simulcast === true && rids ? { rids, ...shown } : undefined;
  const svc = asked.svc && { mode: asked.svc, ...shown };
  const media = {
    videoCodec,
    videoKbps,
    ...asked.resolution,
    ...given({
      simulcast,
      svc,
      audioOnly: asked.audioOnly === true || undefined,
      screen: asked.screen === true || undefined,
      cameraOff,
      muted,
      speech,
      data: asked.data !== undefined && dataChannels ? { ...dataChannels, perSecond: asked.data } : undefined,
      answerAfterMs: asked.answerAfter,
      drawnMarks: asked.drawMarks === true || undefined,
      see: asked.see,
    }),
  };
  // Layers that a kind of probe does not send are refused elsewhere, whatever their size.
  if (!svc && (kind === 'native' || (kind === 'encoded' && asked.simulcast !== true)))
    assertEncodable(kind, { ...usual, ...media });
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

/** The raw pictures of a clip are in the memory of the Chromium that encodes it: 124 MB of the largest. */
const largestClips = {
  encoded: { ...largestEncoded, why: 'each of their pages has the whole clip in memory' },
  native: { width: 1280, height: 720, why: 'a clip is encoded before, and larger ones take a browser too long' },
} as const;

function assertEncodable(kind: keyof typeof largestClips, { width, height }: Plan['media']): void {
  const largest = largestClips[kind];
  if (width * height <= largest.width * largest.height) return;
  throw usageError(
    `--media ${kind} does not play pictures larger than ${largest.width}x${largest.height}.`,
    ['--media', '--resolution'],
    [{ give: { '--resolution': `${largest.width}x${largest.height}` } }, { give: { '--media': 'full' } }],
    largest.why,
  );
}

/** Beside those who signal alone, a share of whom is nothing. */
function besideOf(asked: Sentinels | undefined): number {
  return asked === undefined ? 0 : readCount(`${asked}`, '--sentinels', { from: 1, to: mostBeside });
}
