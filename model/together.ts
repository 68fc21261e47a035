import { arrivingRules, noRamp, onOneServer } from './arriving-together.js';
import {
  type AskedTogether,
  type FlagTogether,
  notRecorded,
  type Rule,
  refused,
  type TogetherRefusal,
} from './asked-together.js';
import { crowdRules } from './crowd-together.js';
import { dataRules } from './data-together.js';
import { nobodyShown, nothingToShow } from './pictures-together.js';
import { judgedBySentinels } from './players.js';
import { oneOut, type Remedy, type Way } from './remedy.js';
import { screenRules } from './screen-together.js';
import { simulcastRules } from './simulcast-together.js';
import { svcRules } from './svc-together.js';
import { turnRules } from './turns-together.js';

/** What probes without a browser do not play: the first that refuses is told. */
const withoutBrowserRules: readonly Rule[] = [
  refused(
    ({ players, codec, given }) =>
      judgedBySentinels(players) && !given.has('svc') && codec !== 'VP8' && codec !== 'H264',
    ({ players: { kind }, codec }) => ({
      text: `--media ${kind} does not play ${codec}.`,
      where: ['--media', '--codec'],
      why: `a ${kind} probe puts frames together by the packets of VP8 and H264, and clips are made of those alone`,
      todo: ['VP8', 'H264'].map((one) => ({ give: { '--codec': one } })),
    }),
  ),
];

const ofNobodyConnected = refused(({ players, given }) => given.has('ice-restart') && players.kind === 'signalling', {
  text: '--ice-restart does not go with --media none.',
  where: ['--ice-restart', '--media'],
  why: 'nobody connects there',
  todo: oneOut('--ice-restart', '--media'),
});

const whichLayer = 'which of the layers a server writes down is its own affair';

/**
 * What goes together, and what does not: the one table. Of each row the first refusal is told, so that a rule may rest
 * on those before it.
 */
const rows: readonly (readonly Rule[])[] = [
  [
    refused(({ players, given }) => players.kind === 'visiting' && given.has('media') && !players.encoded, {
      text: 'Of --media, encoded alone goes with a web app that is visited.',
      where: ['--media'],
      why: "pages are the app's own, and run in full Chromium, each alone",
      todo: [{ leave: ['--media'] }, { give: { '--media': 'encoded' } }],
    }),
    ({ players, given }) => {
      const flags = (
        [
          'probes-per-page',
          'full-share',
          'resolution',
          'simulcast',
          'svc',
          'audio-only',
          'camera-off',
          'muted',
          'speech',
          'screen',
          'draw-marks',
          'see',
          'data',
        ] as const
      ).filter((flag) => given.has(flag));
      return players.kind === 'visiting' && flags.length > 0
        ? notWhenVisiting(flags.map((flag) => `--${flag}`))
        : undefined;
    },
  ],
  // Players and what a size counts.
  arrivingRules,
  turnRules,
  withoutBrowserRules,
  simulcastRules,
  svcRules,
  screenRules,
  dataRules,
  ...crowdRules.map((rule) => [rule]),
  [nobodyShown],
  [nothingToShow],
  [notByHosts('ice-restart'), ofNobodyConnected],
  [notRecorded('simulcast', whichLayer)],
  [notRecorded('svc', whichLayer)],
  [notRecorded('screen', 'files are held to the frame rate of a camera')],
  [notRecorded('data', 'what servers write down of messages was not looked at')],
  [notByHosts('simulcast')],
  [notByHosts('svc')],
  [
    refused(({ server, given }) => server.isCluster && given.has('network'), {
      text: 'Networks are made on the way to one server, and several are named.',
      where: ['--network', '--server'],
      todo: [{ leave: ['--network'] }, 'measure one server at a time'],
    }),
    (asked) => (asked.server.isCluster ? onOneServer(asked) : undefined),
    refused(
      ({ server, scenario }) => server.isCluster && scenario.unit.countsParticipants === true,
      ({ scenario }) => ({
        text: `A session of ${scenario.name} is on one server, and there is one session.`,
        where: ['scenario', '--server'],
        why: 'a cluster places whole sessions; how hosts feed each other is computed from the limit of one',
        todo: 'measure one server, and see loadline capacity for cascades',
      }),
    ),
  ],
  [
    refused(({ players, elsewhere, given }) => players.kind === 'visiting' && elsewhere && given.has('trace'), {
      text: '--trace names a folder of this host, and --hosts opens the pages on others.',
      where: ['--trace', '--hosts'],
      todo: oneOut('--trace', '--hosts'),
    }),
    refused(({ players, elsewhere, given }) => players.kind === 'visiting' && elsewhere && given.has('video'), {
      text: '--video names a folder of this host, and --hosts opens the pages on others.',
      where: ['--video', '--hosts'],
      todo: oneOut('--video', '--hosts'),
    }),
    refused(({ players, given }) => players.kind === 'visiting' && !!players.library && given.has('video'), {
      text: '--video films the page of the app, and --library opens none.',
      where: ['--video', '--library'],
      todo: oneOut('--video', '--library'),
    }),
  ],
  [
    refused(({ players, given }) => players.kind === 'visiting' && given.has('media') && given.has('network'), {
      text: '--media encoded does not go with --network when a web app is visited.',
      where: ['--media', '--network'],
      why: "behind loss receivers of recordings stood still for longer than those of the app's own encoder",
      todo: { leave: ['--media'] },
    }),
  ],
  [noRamp],
  [
    refused(({ given, players }) => given.has('turn-server own') && players.kind === 'visiting', {
      text: '--turn-server own cannot be had when a web app is visited.',
      where: ['--turn-server'],
      why: 'the app names ICE servers to its own page alone',
      todo: turnOf('with the address of its TURN server'),
    }),
    refused(
      ({ given, server }) => given.has('turn-server own') && server.abilities.namesTurn !== true,
      ({ server }) => ({
        text: `--turn-server own is not for ${server.inWords}.`,
        where: ['--turn-server', '--server'],
        why: 'such a server names no TURN server to its participants',
        todo: turnOf('with the address of your TURN server'),
      }),
    ),
    refused(({ given }) => given.has('turn-server own') && given.has('spoken-by hosts'), {
      text: '--turn-server own does not go with --spoken-by hosts.',
      where: ['--turn-server', '--spoken-by'],
      why: 'what the media server names is told to the hosts alone',
      todo: oneOut('--spoken-by', '--turn-server'),
    }),
  ],
  [
    refused(({ given }) => given.has('turn') && !given.has('turn-server') && given.has('network'), {
      text: '--turn starts a coturn that probes on an impaired network cannot reach.',
      where: ['--turn', '--network'],
      why: 'it listens on 127.0.0.1 of this host, and each network is a host of its own',
      todo: [
        { leave: ['--turn'] },
        { write: { '--turn-server': 'turn:HOST:3478' }, note: 'with the address of one on another machine' },
      ],
    }),
  ],
  [
    refused(({ given, elsewhere }) => elsewhere && given.has('turn') && !given.has('turn-server'), {
      text: '--turn starts a coturn that other hosts cannot reach.',
      where: ['--turn', '--hosts'],
      why: 'it listens on 127.0.0.1 of this host',
      todo: [
        { write: { '--turn-server': 'turn:HOST:3478' }, note: 'with an address that they reach' },
        { leave: ['--turn'] },
      ],
    }),
    refused(({ given, elsewhere }) => elsewhere && given.has('chromium'), {
      text: '--chromium names a file of this host, and --hosts plays the probes on others.',
      where: ['--chromium', '--hosts'],
      todo: 'name the Chromium of each host to its loadline host --chromium',
    }),
  ],
  [
    refused(
      ({ given, server }) => server.isCluster && given.has('drill') && !given.has('drill-command') && !server.isStarted,
      noDrill('this run has not started them, and may not end them', [
        { write: { '--drill-command': 'ssh 10.0.0.6 poweroff' }, note: ', which takes one away' },
        { leave: ['--drill'] },
      ]),
    ),
    refused(
      ({ given, server }) => server.isCluster && given.has('drill') && given.has('hosts'),
      noDrill('probes of other hosts cannot come back in the same trial', oneOut('--hosts', '--drill')),
    ),
  ],
];

/** Why what is asked does not go together, each thing once; empty where it does. */
export function refusals(asked: AskedTogether): readonly TogetherRefusal[] {
  return rows.flatMap((rules) => {
    for (const rule of rules) {
      const told = rule(asked);
      if (told) return [told];
    }
    return [];
  });
}

/** Hosts that speak to the server themselves open sessions and end them. */
function notByHosts(flag: FlagTogether): Rule {
  return refused(({ given }) => given.has(flag) && given.has('spoken-by hosts'), {
    text: `--${flag} does not go with --spoken-by hosts.`,
    where: [`--${flag}`, '--spoken-by'],
    why: 'the hosts open sessions, and ask for nothing more of them',
    todo: oneOut('--spoken-by', `--${flag}`),
  });
}

function noDrill(why: string, todo: Remedy): TogetherRefusal {
  return { text: '--drill takes one of several servers away.', where: ['--drill'], why, todo };
}

/** In place of the one that the server names. */
function turnOf(whose: string): readonly Way[] {
  return [{ write: { '--turn-server': 'turn:HOST:3478' }, note: whose }, { leave: ['--turn-server'] }];
}

/** Flags that a visit of a web app cannot have. */
function notWhenVisiting(flags: readonly string[]): TogetherRefusal {
  return {
    text: `${flags.join(', ')} cannot be had when a web app is visited.`,
    where: flags,
    why: "pages are the app's own, and run in full Chromium, each alone",
    todo: { leave: flags },
  };
}
