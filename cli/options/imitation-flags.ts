import type { Command } from 'commander';
import { type Congestion, congestions, type Imitation } from '../../embedded-server/imitation.js';
import { LoadlineError } from '../../model/errors.js';
import { readAnswerRate } from '../../server-setup/embedded/limits.js';
import { readCount, readDuration, readShare } from './values.js';

export interface ImitationFlags {
  readonly reportInterval?: string;
  readonly wrappedReport?: string;
  readonly slowFirstJoin?: string;
  readonly answerRate?: string;
  readonly rtx?: boolean;
  readonly congestion?: string;
  readonly repack?: boolean;
  readonly leak?: string;
  readonly mixFps?: string;
}

/** A peer whose reports are further apart than this is taken for gone. */
const longestIntervalMs = 60_000;
const reportsMost = 10_000;
const fastestMix = 60;

export function addImitationFlags(command: Command): Command {
  return command
    .optionsGroup('To imitate what other servers do, and see what measuring makes of it (docs/embedded-server.md):')
    .option('--report-interval <duration>', 'send RTCP reports this far apart, whole seconds: 5s (default 1s)')
    .option('--wrapped-report <n>', 'in every n-th report underflow the delay: its round trip is 1526 s too long')
    .option('--slow-first-join <duration>', 'be cold: answer no offer until so long after the first: 4.5s')
    .option('--answer-rate <n/s>', 'answer so many offers a second and no more: 20/s')
    .option('--rtx', 'resend on a stream of its own (RFC 4588), and take what browsers resend so')
    .option('--congestion <kind>', 'remb: senders obey a cap (default); twcc: they estimate, too; with --rtx')
    .option('--repack', 'parse Opus and pack it anew with GStreamer, as a Kurento does')
    .option('--leak <share>', 'lose this share of what is left of --egress-limit with each session ever opened: 5%')
    .option('--mix-fps <n>', 'frames a second of mixed pictures (default 15)');
}

/** What was asked for, read and checked. Throws E_USAGE or E_DURATION naming the flag. */
export function readImitation(flags: ImitationFlags & { readonly egressLimit?: string }): Partial<Imitation> {
  const { congestion, reportInterval, wrappedReport, slowFirstJoin, leak, mixFps, answerRate } = flags;
  return {
    ...(flags.rtx === true ? { rtx: true } : {}),
    ...(flags.repack === true ? { repack: true } : {}),
    ...(congestion === undefined ? {} : { congestion: readCongestion(congestion) }),
    ...(reportInterval === undefined ? {} : { reportIntervalMs: readInterval(reportInterval) }),
    ...(wrappedReport === undefined
      ? {}
      : { wrappedReport: readCount(wrappedReport, '--wrapped-report', { to: reportsMost }) }),
    ...(slowFirstJoin === undefined ? {} : { slowFirstJoinMs: readDuration(slowFirstJoin, '--slow-first-join') }),
    ...(answerRate === undefined ? {} : { answersPerSecond: readAnswerRate(answerRate) }),
    ...(leak === undefined ? {} : { leakShare: readLeak(leak, flags.egressLimit) }),
    ...(mixFps === undefined ? {} : { mixFps: readCount(mixFps, '--mix-fps', { to: fastestMix }) }),
  };
}

function readCongestion(text: string): Congestion {
  const known = congestions.find((one) => one === text);
  if (known !== undefined) return known;
  throw new LoadlineError('E_USAGE', `--congestion must be ${congestions.join(' or ')}, not "${text}".`, {
    where: '--congestion',
    todo: 'write for example --congestion twcc',
  });
}

function readLeak(text: string, egressLimit: string | undefined): number {
  if (egressLimit === undefined) {
    throw new LoadlineError('E_USAGE', '--leak without --egress-limit changes nothing.', {
      where: '--leak, --egress-limit',
      why: 'what it takes a share of is the rate that the server is held to',
      todo: 'write for example --egress-limit 5mbit --leak 5%',
    });
  }
  const share = readShare(text, '--leak');
  if (share < 1) return share;
  throw new LoadlineError('E_USAGE', '--leak must be less than 100%.', {
    where: '--leak',
    why: 'the first session would take all that the server can send',
    todo: 'write for example --leak 5%',
  });
}

function readInterval(text: string): number {
  const flag = '--report-interval';
  const milliseconds = readDuration(text, flag);
  if (milliseconds % 1000 === 0 && milliseconds > 0 && milliseconds <= longestIntervalMs) return milliseconds;
  throw new LoadlineError(
    'E_DURATION',
    `${flag} must be whole seconds, up to ${longestIntervalMs / 1000}s, not "${text}".`,
    {
      where: flag,
      todo: `write for example ${flag} 5s`,
    },
  );
}
