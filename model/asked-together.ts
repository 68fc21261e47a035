import type { VideoCodec } from './codec.js';
import type { CrowdState } from './crowd.js';
import type { Load } from './load.js';
import type { Players } from './players.js';
import type { Remedy } from './remedy.js';
import type { Scenario } from './scenario.js';
import type { ServerAbilities } from './server-abilities.js';

/** Flags of which one may not go with players, a load, a server, or another of them. */
export const flagsTogether = [
  'network',
  'turn',
  'turn-server',
  'turn-server own',
  'hosts',
  'record',
  'preset',
  'legs',
  'media',
  'full-share',
  'resolution',
  'codec',
  'video-kbps',
  'simulcast',
  'svc',
  'layout',
  'visible',
  'ice-restart',
  'spoken-by hosts',
  'audio-only',
  'camera-off',
  'muted',
  'speech',
  'screen',
  'draw-marks',
  'see',
  'data',
  'answer-after',
  'probes-per-page',
  'strategy ramp',
  'drill',
  'drill-command',
  'chromium',
  'trace',
  'video',
] as const;
export type FlagTogether = (typeof flagsTogether)[number];

/** What is asked of one run, as far as one part of it may not go with another. */
export interface AskedTogether {
  readonly scenario: Scenario;
  /** The same as this server lays it out: there its participants have their connections. */
  readonly laidOut: Scenario;
  /** The scenario nearest to it in which pictures are forwarded, by its name. */
  readonly forwarding: string;
  readonly players: Players;
  readonly load: Load;
  readonly server: {
    readonly inWords: string;
    readonly abilities: ServerAbilities;
    readonly isCluster: boolean;
    /** It is a process of the run. */
    readonly isStarted: boolean;
  };
  /** Probes are played on machines that the bus knows. */
  readonly elsewhere: boolean;
  readonly codec: VideoCodec;
  readonly crowd: CrowdState;
  /** The server records what participants send. */
  readonly records: boolean;
  readonly given: ReadonlySet<FlagTogether>;
  /** Expressions of limits that are on media. */
  readonly mediaLimits: readonly string[];
  readonly measureMs: number;
  readonly joinMsMax: number;
}

/** Why it does not go together, where that was written, and what to do. */
export interface TogetherRefusal {
  readonly text: string;
  readonly where: readonly string[];
  readonly why?: string;
  readonly todo: Remedy;
}

/** Undefined where it goes together. */
export type Rule = (asked: AskedTogether) => TogetherRefusal | undefined;

/** Refuses what is so. What is told may rest on what was asked. */
export function refused<Asked extends AskedTogether = AskedTogether>(
  isSo: (asked: Asked) => boolean,
  told: TogetherRefusal | ((asked: Asked) => TogetherRefusal),
): (asked: Asked) => TogetherRefusal | undefined {
  return (asked) => (isSo(asked) ? (typeof told === 'function' ? told(asked) : told) : undefined);
}

/** Of a flag that does not go with recordings. It is told beside what else is refused of that flag. */
export function notRecorded(flag: FlagTogether, why: string): Rule {
  return refused(
    ({ given, records }) => given.has(flag) && records,
    ({ given }) => ({
      text: `--${flag} does not go with recordings.`,
      where: [`--${flag}`, '--record'],
      why: given.has('record') ? why : `${why}; this scenario records by default`,
      todo: [
        given.has('record')
          ? { give: { '--no-record': true }, leave: ['--record'] }
          : { give: { '--no-record': true } },
        { leave: [`--${flag}`] },
      ],
    }),
  );
}

/** The rule where one of these flags was given; nothing else is refused by it. */
export function withOneOf(flags: readonly FlagTogether[], rule: Rule): Rule {
  return (asked) => (flags.some((flag) => asked.given.has(flag)) ? rule(asked) : undefined);
}
