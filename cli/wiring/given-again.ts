import { resolve } from 'node:path';
import { shellLine } from '../../analysis/wording/wording.js';
import { LoadlineError } from '../../model/errors.js';
import {
  type ClusterServerPlan,
  firstServer,
  isCluster,
  isSimulated,
  type Plan,
  type RealServerPlan,
} from '../../model/plan.js';
import { redacted, withoutSecrets } from '../../model/secrets.js';
import { ownTurn } from '../../model/turn.js';
import type { VisitPlan } from '../../model/visit.js';
import type { FollowedSetting, ServerKind } from '../../server-setup/server-kind.js';
import type { ServerWords } from '../options/cluster-flags.js';
import { attributeOf } from '../options/flag.js';
import type { Env } from '../process.js';

export interface GivenAgain {
  readonly flags: ServerWords;
  /** Of these flags those that were typed. */
  readonly typed: ReadonlySet<string>;
  readonly kind: ServerKind;
  readonly env: Env;
  readonly workingFolder: string;
  /** As the run was named. */
  readonly where: string;
  readonly command: string;
}

/** One word of a stored plan that is run or reached. */
interface Followed {
  /** "--reset restart --reset-command". */
  readonly flag: string;
  readonly stored: string | undefined;
  readonly given: string | undefined;
  /** It counts only when it is given again. */
  readonly must: boolean;
}

/**
 * Stored runs are data: what a plan would run, and addresses that secrets would go to, count only when they are given
 * again, with the words that are stored. A secret that was not stored comes back with them. Throws E_RESUME for what is
 * missing or another, E_USAGE for what the stored plan does not have.
 */
export function withGivenAgain(plan: Plan, again: GivenAgain): Plan {
  if (isSimulated(plan.server)) return plan;
  const servers = isCluster(plan.server) ? plan.server.members.map(({ server }) => server) : [plan.server];
  const given = servers.map((server, nth) => givenServer(server, nth, again));
  const followed = [
    ...servers.flatMap((server, nth) => followedIn(server, given[nth] ?? {}, again.kind, secretsGo(plan, again))),
    ...beyondServers(plan, again),
  ].filter(({ stored, given: word }) => stored !== undefined || word !== undefined);
  assertAsked(followed, again);
  const whole = servers.map((server, nth) => ({ ...server, ...given[nth] }));
  return { ...plan, server: withServers(plan.server, whole) };
}

/** Of a stored plan what is run or reached, as flags with their values, without secrets: what is given again. */
export function wordsAgain(plan: Plan, kinds: readonly ServerKind[]): readonly string[] {
  const { server: stored } = plan;
  if (isSimulated(stored)) return [];
  const kind = kinds.find(({ name }) => name === firstServer(stored).kind);
  if (!kind) return [];
  const servers = isCluster(stored) ? stored.members.map(({ server }) => server) : [stored];
  return wordsOfAll([
    ...servers.flatMap((server) => followedIn(server, {}, kind, false)),
    ...beyondServers(plan, { flags: { server: [] }, env: {}, workingFolder: '' }),
  ]);
}

function withServers(server: RealServerPlan | ClusterServerPlan, whole: readonly RealServerPlan[]) {
  const put = (nth: number, before: RealServerPlan): RealServerPlan => whole[nth] ?? before;
  if (!isCluster(server)) return put(0, server);
  return { ...server, members: server.members.map((member, nth) => ({ ...member, server: put(nth, member.server) })) };
}

function followedSettings({ place, options }: ServerKind): readonly FollowedSetting[] {
  const address: FollowedSetting[] = place.by === 'address' ? [{ setting: 'url', flag: '--server' }] : [];
  return [...address, ...options.flatMap(({ follows = [] }) => follows)];
}

/** What the flags say of the server, for the settings that are followed. */
function givenServer(stored: RealServerPlan, nth: number, again: GivenAgain): Readonly<Record<string, string>> {
  const { flags, typed, kind } = again;
  const named = typeof flags.server === 'string' ? [flags.server] : flags.server;
  const entry = flags.listed?.[nth]?.flags ?? (typed.has('server') ? { server: named[nth] } : {});
  // A server that is not named again is the stored one; the options of its kind still read their flags.
  const words = { ...flags, server: kind.name, ...entry };
  const options = kind.options.filter(({ follows = [] }) => follows.some(({ flag }) => typedIn(flag, typed, entry)));
  const settings: Record<string, unknown> = Object.assign({}, ...options.map((option) => option.read(words)));
  const url = kind.place.by === 'address' ? { url: entry.server } : {};
  const names = new Set(followedSettings(kind).map(({ setting }) => setting));
  const said = Object.entries({ ...url, ...settings }).filter(
    ([name, value]) => names.has(name) && typeof value === 'string',
  );
  if (kind.place.by !== 'address' && typed.has('server') && named[nth] !== stored.kind) throw other('--server', again);
  return Object.fromEntries(said) as Readonly<Record<string, string>>;
}

function typedIn(flag: string, typed: ReadonlySet<string>, entry: Readonly<Record<string, unknown>>): boolean {
  return wordsOf(flag)
    .map(attributeOf)
    .some((name) => typed.has(name) || name in entry);
}

/** The flags of "--reset restart --reset-command". */
const wordsOf = (flag: string): readonly string[] => flag.split(' ').filter((word) => word.startsWith('--'));

function followedIn(
  server: RealServerPlan,
  given: Readonly<Record<string, string>>,
  kind: ServerKind,
  takesSecrets: boolean,
): readonly Followed[] {
  return followedSettings(kind).map(({ setting, flag, isRun }) => {
    const word = server[setting];
    const stored = typeof word === 'string' ? word : undefined;
    const must = isRun === true || takesSecrets || (stored?.includes(redacted) ?? false);
    return { flag, stored, given: given[setting], must };
  });
}

/** Whether its servers are told what the environment holds; of an app, by its join script. */
function secretsGo(plan: Plan, { kind, env }: GivenAgain): boolean {
  const { join, library } = visitOf(plan) ?? {};
  return (join ?? library) !== undefined || (kind.environment ?? []).some(({ name }) => isSet(env, name));
}

/** What stands in a plan beside its servers. */
function beyondServers(
  plan: Plan,
  { flags, env, workingFolder }: Pick<GivenAgain, 'flags' | 'env' | 'workingFolder'>,
): readonly Followed[] {
  const { server, drill, turn, evidence, hosts } = plan;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const [join, library, users] = [text(flags.join), text(flags.library), text(flags.users)];
  const pages =
    typeof flags.evidence === 'string' ? [flags.evidence] : (flags.evidence as readonly string[] | undefined);
  const bus = hosts?.from.startsWith('local:') ? undefined : hosts?.from;
  const pageAt = (urls: readonly string[], nth: number) =>
    URL.canParse(urls[nth] ?? '') ? new URL(urls[nth] ?? '').href : urls[nth];
  return [
    { flag: '--join', stored: visitOf(plan)?.join, given: join && resolve(workingFolder, join), must: true },
    {
      flag: '--library',
      stored: visitOf(plan)?.library,
      given: library && resolve(workingFolder, library),
      must: true,
    },
    // What stands in it goes to the app.
    { flag: '--users', stored: visitOf(plan)?.users, given: users && resolve(workingFolder, users), must: true },
    { flag: '--placer', stored: isCluster(server) ? server.placer : undefined, given: text(flags.placer), must: true },
    { flag: '--drill-command', stored: drill?.command, given: text(flags.drillCommand), must: true },
    // A server that is named is shown a login in each case.
    {
      flag: '--turn-server',
      stored: turn?.server,
      given: text(flags.turnServer),
      must: turn?.server !== ownTurn,
    },
    // Its hosts are told where the media server is, and how it is spoken to.
    { flag: '--hosts', stored: bus, given: text(flags.hosts), must: true },
    ...Array.from({ length: Math.max(evidence?.urls.length ?? 0, pages?.length ?? 0) }, (_, nth) => ({
      flag: '--evidence',
      stored: evidence?.urls[nth],
      given: pageAt(pages ?? [], nth),
      must: isSet(env, 'LOADLINE_EVIDENCE_TOKEN'),
    })),
  ];
}

function visitOf({ players }: Plan): VisitPlan | undefined {
  return players.kind === 'visiting' ? players : undefined;
}

function isSet(env: Env, name: string): boolean {
  return (env[name] ?? '') !== '';
}

function assertAsked(followed: readonly Followed[], again: GivenAgain): void {
  const unasked = followed.find(({ stored }) => stored === undefined);
  if (unasked) throw notStored(unasked.flag, again);
  const changed = followed.find(({ stored, given }) => given !== undefined && !isSame(given, stored ?? ''));
  if (changed) throw other(changed.flag, again);
  const missing = followed.filter(({ must, given }) => must && given === undefined);
  if (missing.length === 0) return;
  const { command, where } = again;
  const words = wordsOfAll(missing);
  const secret = words.some((word) => word.includes(redacted)) ? `, with the secret in place of ${redacted}` : '';
  throw new LoadlineError('E_RESUME', 'What the stored run would run or log in to has to be given again.', {
    where: missing.map(({ flag }) => flag).join(', '),
    why: 'a stored run is data: nothing in it is run, and no secret goes to an address in it, that you have not named yourself',
    todo: `look at each of these words, then give them again${secret}:\n${shellLine(['loadline', command, '--resume', where, ...words])}`,
  });
}

/** What servers of a cluster have alike is said once. */
function wordsOfAll(followed: readonly Followed[]): readonly string[] {
  const said = followed.flatMap(({ flag, stored }) => (stored === undefined ? [] : [[flag, withoutSecrets(stored)]]));
  const once = new Map(said.map((words) => [words.join(' '), words]));
  return [...once.values()].flatMap(([flag = '', stored = '']) => [...flag.split(' '), stored]);
}

/** Secrets are not stored with a run. */
function isSame(given: string, stored: string): boolean {
  return given === stored || withoutSecrets(given) === stored;
}

function notStored(flag: string, { where }: GivenAgain): LoadlineError {
  return new LoadlineError('E_USAGE', `${flag} cannot be given with --resume.`, {
    where: flag,
    why: `the stored run has none, and goes on with the plan that it was begun with: ${where}`,
    todo: 'leave it out, or start a new run with it',
  });
}

function other(flag: string, { where }: GivenAgain): LoadlineError {
  return new LoadlineError('E_RESUME', `${flag} is not what the stored run was begun with.`, {
    where: `${flag}, --resume ${where}`,
    why: 'a resumed run goes on with the plan that it was begun with',
    todo: 'give the same again, or start a new run with it',
  });
}
