import type { LayoutChoice } from '../../analysis/needs/layout-choice.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { oneOut } from '../../model/remedy.js';
import type { VisitPlan, VisitRole } from '../../model/visit.js';
import { visit } from '../../scenarios/visit.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { camera, usualCamera } from './camera-flag.js';
import { givenWith, goingWith, type ValuesOf } from './flag.js';
import { suchAs, usageError, wrongValue } from './usage-error.js';

/** Rooms larger than this are webinars, which a browser's page does not show. */
export const mostMembers = 64;

const { name } = visit(4);

export const visitFlags = goingWith(name, {
  join: {
    takes: 'file',
    about: 'script that joins, in JavaScript or TypeScript: export default async ({ page }) => …',
    onResume: 'again',
  },
  library: {
    takes: 'file',
    about: "module that joins by the app's client library, without its page: export async function join({ session }) …",
    onResume: 'again',
  },
  users: {
    takes: 'file',
    about: 'who logs in, a CSV: each participant is another user, whom the join script reads',
    value: { read: usersFile() },
    onResume: 'again',
  },
  roles: {
    takes: 'list',
    about: 'who is in a room: "1 presenter, 10 viewers" (default: members)',
    value: { read: readRoles },
  },
  expect: {
    takes: 'list',
    about: 'what must arrive: "video >= 3, audio >= 1" (default: what one room alone shows)',
    value: { read: readExpected },
  },
  block: { takes: 'list', about: 'addresses that are not loaded: "*.woff2, analytics.*"' },
  trace: {
    takes: 'dir',
    about: "keep Playwright's traces of pages that cannot join in this folder; they hold logins",
  },
  video: { takes: 'dir', about: 'film the first page of each trial into this folder (WebM), which costs CPU' },
  painted: { about: 'pages that have joined go on being painted, which costs CPU (default: they are out of view)' },
  camera: {
    takes: 'picture',
    about: `what cameras give: 320x180@15 (default: ${usualCamera})`,
    value: camera,
    because: `probes of ours send ${usualCamera}, by which all limits were chosen`,
  },
});

/** So many visit by another flag, for which it is easily taken. */
export function usersFile(count?: string) {
  return (text: string, flag: string): string => {
    if (!/^\d+$/.test(text)) return text;
    const todo = { leave: [flag], give: count ? { [count]: text } : {} };
    const why = `how many visit is ${count ?? 'the size: --size, or --max of a search'}`;
    throw usageError(`${flag} is a file of users who log in, not "${text}".`, [flag], todo, why);
  };
}

/** A page for each, several in a browser: each is a process of its own, and the browser's parts are shared. */
export const visitingLayout: LayoutChoice = { probesPerPage: 1, pagesPerBrowser: 8 };

/** The kind that is visited, where a scenario visits and nothing else was named. */
export function visitedServer<Asked extends string | readonly string[]>(
  asked: Asked,
  visits: boolean,
  kinds: readonly ServerKind[],
): Asked | string {
  const visited = kinds.find(({ abilities }) => abilities.shapes.includes('own-page'));
  return visits && visited && asked === kinds[0]?.name ? visited.name : asked;
}

/** What of a visit's flags its plan has. */
export function visitOf(
  asked: Partial<Omit<ValuesOf<typeof visitFlags>, 'camera' | 'trace' | 'video'>> & {
    readonly media?: string | undefined;
  },
): VisitPlan {
  const { join, library, users, block, painted, roles, expect: atLeast, media } = asked;
  if (join !== undefined && library !== undefined) throw joinedTwice();
  const blocked = block?.split(',').flatMap((one) => one.trim() || []);
  return given({
    join,
    library,
    users,
    block: blocked?.length ? blocked : undefined,
    painted: painted || undefined,
    encoded: media === 'encoded' || undefined,
    roles,
    atLeast,
  });
}

function joinedTwice(): LoadlineError {
  const why = "a library joins in place of the app's page, on which a join script acts";
  return usageError(
    '--join and --library cannot be given together.',
    ['--join', '--library'],
    oneOut('--join', '--library'),
    why,
  );
}

/** Where nothing is visited. Throws E_USAGE. */
export function assertNotVisiting(asked: ValuesOf<typeof visitFlags>): void {
  const { names, why } = givenWith(name, visitFlags, asked);
  if (names.length === 0) return;
  const todo = [{ leave: names }, { measure: name, write: { '--url': 'https://meet.example/{session}' } }];
  throw usageError(`${names.join(', ')} cannot be had here: nothing is visited.`, names, todo, why);
}

const roleName = /^[a-z][\w-]*$/i;

/** The name of one role, as `--roles` takes it. */
export function readRole(text: string): string {
  if (roleName.test(text)) return text;
  throw wrongValue('--role', text, 'must be a name of letters, digits, _ and -, that begins with a letter', 'guest');
}

/** "1 presenter, 10 viewers". */
function readRoles(text: string): readonly VisitRole[] {
  const roles = text.split(',').map((part): VisitRole | undefined => {
    const [, count, role = ''] = /^\s*(\d+)\s+(\S+)\s*$/.exec(part) ?? [];
    return count === undefined || !roleName.test(role) || Number(count) < 1
      ? undefined
      : { count: Number(count), role };
  });
  const read = roles.flatMap((role) => role ?? []);
  const names = new Set(read.map(({ role }) => role));
  const members = read.reduce((sum, { count }) => sum + count, 0);
  if (read.length === roles.length && names.size === read.length && members <= mostMembers) return read;
  const why =
    members > mostMembers
      ? `they are ${members} members, and ${mostMembers} are the most`
      : 'it is no list of numbers and names, each name once';
  const todo = suchAs('--roles', '1 presenter, 10 viewers');
  throw usageError(`--roles cannot read "${text}".`, ['--roles'], todo, why);
}

/** "video >= 3, audio >= 1". */
function readExpected(text: string): NonNullable<VisitPlan['atLeast']> {
  const parts = text.split(',').map((part) => /^\s*(audio|video)\s*(?:>=|≥)\s*(\d{1,3})\s*$/.exec(part));
  const kinds = parts.map((part) => part?.[1]);
  if (parts.every((part) => part !== null) && new Set(kinds).size === kinds.length)
    return Object.fromEntries(parts.map((part) => [part[1], Number(part[2])]));
  throw new LoadlineError('E_USAGE', `--expect cannot read "${text}".`, {
    where: '--expect',
    why: 'it is how many streams of each kind must arrive at each participant',
    todo: suchAs('--expect', 'video >= 3, audio >= 1'),
  });
}
