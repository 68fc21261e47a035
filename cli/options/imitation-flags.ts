import { congestions, type Imitation, pictureFaults, soundFaults } from '../../embedded-server/imitation.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { layerFaults } from '../../model/layer.js';
import { readAnswerRate } from '../../server-setup/embedded/limits.js';
import type { Flags, ValuesOf } from './flag.js';
import { suchAs, usageError } from './usage-error.js';
import { readDuration, readShare } from './values.js';
import { count, duration, type Written, word } from './written.js';

/** A peer whose reports are further apart than this is taken for gone. */
const longestIntervalMs = 60_000;
const reportsMost = 10_000;
const fastestMix = 60;

/** Of parts of a second. */
const short: Written<number> = {
  ...duration,
  read: (text, flag) => readDuration(text, flag, { unit: 'ms', such: ['20ms', '150ms', '2s'] }),
};

export const imitationFlags = {
  reportInterval: {
    takes: 'duration',
    about: 'send RTCP reports this far apart, whole seconds: 5s (default 1s)',
    value: { read: readInterval },
  },
  wrappedReport: {
    about: 'in every n-th report underflow the delay: its round trip is 1526 s too long',
    value: count({ to: reportsMost }),
  },
  slowFirstJoin: { about: 'be cold: answer no offer until so long after the first: 4.5s', value: duration },
  answerRate: {
    takes: 'n/s',
    about: 'answer so many offers a second and no more: 20/s',
    value: { read: readAnswerRate },
  },
  rtx: { about: 'resend on a stream of its own (RFC 4588), and take what browsers resend so' },
  congestion: {
    takes: 'kind',
    about: 'remb: senders obey a cap (default); twcc: they estimate, too; with --rtx',
    value: word(congestions),
  },
  repack: { about: 'parse Opus and pack it anew with GStreamer, as a Kurento does' },
  leak: {
    takes: 'share',
    about: 'lose this share of what is left of --egress-limit with each session ever opened: 5%',
    value: { read: readLeak },
    with: '--egress-limit',
    withValue: '3mbit',
    because: 'what it takes a share of is the rate that the server is held to',
  },
  delay: { about: 'hold what is forwarded back for so long: 150ms', value: short },
  delayGrowth: { about: 'hold it back by so much more each second, as a queue that grows: 20ms', value: short },
  layerFault: {
    takes: 'kind',
    about:
      'with layers, stuck: all get the lowest; wrong: another one than asked for; starved: the highest has gaps; unmoved: each stays in its first; keyless: none turns with a key frame',
    value: word(layerFaults),
  },
  pictureFault: {
    takes: 'kind',
    about:
      'do wrong with pictures, swapped: those of two senders; missing: those of one; still: the first key frame again; blank: grey; half: at half the size, by GStreamer; the last three of VP8',
    value: word(pictureFaults),
  },
  soundFault: {
    takes: 'kind',
    about: 'do wrong with sound, swapped: that of two senders; silent: nothing is heard',
    value: word(soundFaults),
  },
  soundDelay: { about: 'hold sound back by so much more than pictures: 120ms', value: short },
  mixFps: { about: 'frames a second of mixed pictures (default 15)', value: count({ to: fastestMix }) },
} as const satisfies Flags;

export function imitationOf(asked: ValuesOf<typeof imitationFlags>): Partial<Imitation> {
  const { congestion, wrappedReport, mixFps, layerFault, pictureFault, soundFault } = asked;
  return given({
    rtx: asked.rtx || undefined,
    repack: asked.repack || undefined,
    congestion,
    layerFault,
    pictureFault,
    soundFault,
    reportIntervalMs: asked.reportInterval,
    wrappedReport,
    slowFirstJoinMs: asked.slowFirstJoin,
    answersPerSecond: asked.answerRate,
    leakShare: asked.leak,
    mixFps,
    delayMs: asked.delay,
    delayGrowthMs: asked.delayGrowth,
    soundDelayMs: asked.soundDelay,
  });
}

function readLeak(text: string, flag: string): number {
  const share = readShare(text, flag);
  if (share < 1) return share;
  const why = 'the first session would take all that the server can send';
  throw usageError(`${flag} must be less than 100%.`, [flag], suchAs(flag, '5%'), why);
}

function readInterval(text: string, flag: string): number {
  const milliseconds = readDuration(text, flag, {
    unit: 's',
    such: ['5s', '10s'],
    leastMs: 1000,
    mostMs: longestIntervalMs,
  });
  if (milliseconds % 1000 === 0 && milliseconds > 0 && milliseconds <= longestIntervalMs) return milliseconds;
  const what = `${flag} must be whole seconds, up to ${longestIntervalMs / 1000}s, not "${text}".`;
  throw new LoadlineError('E_DURATION', what, { where: flag, todo: suchAs(flag, '5s') });
}
