import type { ArrivalsPlan } from './arrivals.js';
import { type AskedTogether, type FlagTogether, type Rule, refused, type TogetherRefusal } from './asked-together.js';
import { fullShareOf, type PlayersOf } from './players.js';
import { oneOut } from './remedy.js';
import { isSending, type Scenario } from './scenario.js';

/** Below this hardly anything is left of a stay once its beginning is not measured. */
const shortestHoldMs = 8000;

/** Who plays and what a size counts: the first that refuses is told. */
export const arrivingRules: readonly Rule[] = [
  refused(({ players, load }) => players.kind === 'signalling' && load.by === 'sessions', {
    text: '--media none needs --by arrivals.',
    where: ['--media', '--by'],
    why: 'participants without media are judged by how they join, and not by what they receive',
    todo: { give: { '--by': 'arrivals' } },
  }),
  refused(
    ({ load, scenario }) => load.by === 'arrivals' && !scenario.coming,
    ({ scenario: { name } }) => ({
      text: `--by arrivals is not for ${name}.`,
      where: ['--by', name],
      why: 'nobody comes and goes in its sessions',
      todo: { measure: 'one-to-one' },
    }),
  ),
  refused(
    ({ load, players, scenario }) =>
      load.by === 'arrivals' && players.kind !== 'signalling' && scenario.coming?.meets !== undefined,
    ({ scenario: { name } }) => ({
      text: `--by arrivals with media is not for ${name}.`,
      where: ['--by', name],
      why: 'members who are there would have to take up connections to those who come',
      todo: [{ give: { '--media': 'none' } }, { measure: 'one-to-one' }],
    }),
  ),
  refused(({ load, players }) => load.by === 'arrivals' && fullShareOf(players) > 0 && fullShareOf(players) < 1, {
    text: '--full-share is not for --by arrivals.',
    where: ['--full-share', '--by'],
    why: 'pages are used again by all who come, and are of one kind',
    todo: { leave: ['--full-share'] },
  }),
  refused(({ players, load }) => load.by === 'arrivals' && players.kind === 'visiting' && players.users !== undefined, {
    text: '--users is not for --by arrivals.',
    where: ['--users', '--by'],
    why: 'each who comes would be another user, and a trial has as many as come',
    todo: { leave: ['--users'] },
  }),
  ofSignalling(
    refused(
      ({ server }) => server.abilities.signalsAlone !== true,
      ({ server }) => ({
        text: `--media none is not for ${server.inWords}.`,
        where: ['--media', '--server'],
        todo: 'measure a server whose participants offer and need no media of others',
      }),
    ),
  ),
  ofSignalling(
    refused<Signalling>(({ players, scenario }) => players.legs === 'sending' && !comersSend(scenario), nobodyComes),
  ),
  ofArriving(({ players, given }) => {
    const signals = players.kind === 'signalling';
    const elsewhere: readonly FlagTogether[] = signals ? ['hosts'] : [];
    const about: readonly FlagTogether[] = ['network', 'turn', 'turn-server', ...elsewhere, 'record', 'preset'];
    const flags = about.filter((flag) => given.has(flag)).map((flag) => `--${flag}`);
    if (flags.length === 0) return undefined;
    const beside = signals ? '--media none' : '--by arrivals';
    return {
      text: `${flags.join(', ')} cannot be given with ${beside}.`,
      where: [signals ? '--media' : '--by', ...flags],
      why: signals
        ? 'nothing is sent that it would change'
        : 'browsers that come and go are on the network of their host, and are not recorded',
      todo: { leave: flags },
    };
  }),
  ofSignalling(
    refused<Signalling>(
      ({ players, mediaLimits }) => players.sentinels === 0 && mediaLimits.length > 0,
      ({ mediaLimits: [first] }) => ({
        text: `--media none measures nothing of "${first}".`,
        where: ['--threshold', '--media'],
        todo: [
          'limit join.answer and join.success',
          { give: { '--sentinels': 4 }, note: 'to measure media beside them' },
        ],
      }),
    ),
  ),
  ofArriving((asked) => (asked.players.kind === 'signalling' ? undefined : staysOfBrowsers(asked))),
];

export const onOneServer: Rule = refused(
  ({ load }) => load.by === 'arrivals',
  ({ players: { kind } }) => ({
    text: 'What each server of a cluster had is told of sessions that stay.',
    where: ['--by', '--server'],
    todo: [...(kind === 'signalling' ? [] : oneOut('--by')), 'measure one server at a time'],
  }),
);

export const noRamp: Rule = refused(({ load, given }) => load.by === 'arrivals' && given.has('strategy ramp'), {
  text: '--strategy ramp is not for --by arrivals.',
  where: ['--strategy', '--by'],
  why: 'it steers by how near each second of media came to its limits',
  todo: { leave: ['--strategy'] },
});

type Arriving = AskedTogether & { readonly load: ArrivalsPlan };
type Signalling = Arriving & { readonly players: PlayersOf<'signalling'> };

function ofArriving(rule: (asked: Arriving) => TogetherRefusal | undefined): Rule {
  return (asked) => (asked.load.by === 'arrivals' ? rule({ ...asked, load: asked.load }) : undefined);
}

function ofSignalling(rule: (asked: Signalling) => TogetherRefusal | undefined): Rule {
  return ofArriving((asked) =>
    asked.players.kind === 'signalling' ? rule({ ...asked, players: asked.players }) : undefined,
  );
}

function comersSend({ coming }: Scenario): boolean {
  const sessions = coming?.sessions(1, 1) ?? [];
  return sessions.flatMap(({ participants }) => participants.filter((one) => !one.presents)).every(isSending);
}

function nobodyComes({ scenario, server, given }: AskedTogether): TogetherRefusal {
  const isOnSome = server.abilities.receivesNeedMedia === 'on-some';
  const all = { give: { '--legs': 'all' }, note: 'if this one answers them before media comes' };
  return {
    text: `Without media nobody comes to ${scenario.name}: ${scenario.coming?.unit.many} have no connection to join.`,
    where: ['--media', '--legs', scenario.name],
    why: given.has('legs')
      ? 'a viewer sends nothing'
      : `${server.inWords} ${isOnSome ? 'may give' : 'gives'} nothing to who receives as long as nobody sends`,
    todo: [{ measure: 'one-to-one' }, { measure: 'sfu-group' }, ...(isOnSome ? [all] : [])],
  };
}

/** What is compared of browsers are whole stays. */
function staysOfBrowsers({ measureMs, joinMsMax, load }: Arriving): TogetherRefusal | undefined {
  const { holdMs, stay, storm, reconnect } = load;
  const flag = reconnect ? '--reconnect' : storm === undefined ? '--stay' : '--storm';
  if (flag !== '--stay' || stay !== 'constant') {
    const given = flag === '--stay' ? '--stay exponential' : flag;
    return {
      text: `${given} is for --media none.`,
      where: [flag, '--media'],
      why: 'what browsers see is compared over whole stays, which have to be alike',
      todo: [{ give: { '--media': 'none' } }, { leave: [flag] }],
    };
  }
  if (holdMs < shortestHoldMs) {
    return {
      text: `--hold is ${holdMs / 1000} s, too short for browsers.`,
      where: ['--hold', '--media'],
      why: 'the first seconds of each stay are not measured',
      todo: [{ give: { '--hold': `${shortestHoldMs / 1000}s` }, note: 'or more' }, { give: { '--media': 'none' } }],
    };
  }
  const leastMs = holdMs + joinMsMax;
  if (measureMs >= leastMs) return undefined;
  return {
    text: `--measure is ${measureMs / 1000} s, in which nobody may come and leave who stays for ${holdMs / 1000} s.`,
    where: ['--measure', '--hold'],
    why: 'media is judged of those whose whole stay, joining included, is in the window',
    todo: [{ give: { '--measure': `${Math.ceil(leastMs / 1000)}s` }, note: 'or more' }, 'a shorter --hold'],
  };
}
