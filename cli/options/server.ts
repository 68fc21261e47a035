import { type Command, Option } from 'commander';
import { once } from '../../host/once.js';
import type { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type RealServerPlan, realServerSchema } from '../../model/plan.js';
import { kindAt } from '../../server-setup/kind-at.js';
import { formsOf, type Kinds, namingOne, type ServerKind, type ServerOption } from '../../server-setup/server-kind.js';
import { addFlag, addFlags, attributeOf, type Flag } from './flag.js';
import { oneOrMore } from './label-flags.js';
import { readTogether } from './together.js';
import { usageError } from './usage-error.js';

/** The flags that say which server it is and how it is treated, as words; which there are is for the kinds to say. */
export interface ServerFlags {
  readonly server: string;
  readonly [flag: string]: unknown;
}

/** What was asked of which kind of server. */
export interface AskedServer {
  readonly kind: ServerKind;
  readonly server: RealServerPlan;
}

/** `--server`, and the flags of every kind, each once. */
export function addServerFlags(command: Command, kinds: Kinds): void {
  addServerFlag(command, kinds, { repeats: true });
  const reaching = reachingOf(kinds);
  addOptions(
    command,
    optionsOf(kinds).filter((option) => !reaching.includes(option)),
  );
}

/** `--server`, and the flags that say where a server without an address is, or how one is reached or seen. */
export function addServerFlag(command: Command, kinds: Kinds, more: Pick<Flag, 'repeats'> = {}): void {
  const forms = formsOf(kinds);
  const server: Flag = {
    takes: 'url',
    about: `${forms}${more.repeats ? '; repeated, a cluster of them' : ''}`,
    usual: kinds[0]?.name,
    inPlans: oneOrMore(`must be ${forms}; or a list of them, which is a cluster`),
    words: kinds.map(({ name, place }) => (place.by === 'address' ? `${place.schemes[0] ?? name}://` : name)),
    onResume: 'again',
    everyday: true,
    ...more,
  };
  addFlags(command, { server });
  addOptions(command, reachingOf(kinds));
}

function addOptions(command: Command, options: readonly ServerOption[]): void {
  const again = options.flatMap(({ follows = [] }) => follows.flatMap(({ flag }) => flag.split(' ')));
  for (const { flag, help, fallback, shape, everyday } of options.flatMap(({ flags }) => flags)) {
    const option = new Option(flag, help).default(fallback);
    const isAgain = option.long !== undefined && again.includes(option.long);
    addFlag(
      command,
      option,
      given({ about: help, inPlans: shape, onResume: isAgain ? ('again' as const) : undefined, everyday }),
    );
  }
}

function reachingOf(kinds: Kinds): readonly ServerOption[] {
  const places = kinds.flatMap(({ place }) => (place.by === 'option' ? [place.option] : []));
  return [...new Set([...places, ...optionsOf(kinds).filter(({ reaches }) => reaches)])];
}

/** Each option of the kinds, once. */
export function optionsOf(kinds: Kinds): readonly ServerOption[] {
  return [...new Set(kinds.flatMap(({ options }) => options))];
}

/** Reads them together, because some are for some kinds of server only. Throws E_SERVER_URL, E_RATE, E_USAGE. */
export function readServer(flags: ServerFlags, kinds: Kinds): AskedServer {
  const kindAsked = once(() => kindAt(flags.server, kinds));
  const settingsOf = (option: ServerOption) => {
    const asked = askedBy(option, flags);
    if (asked.length === 0 || kindAsked().options.includes(option)) return option.read(flags);
    throw refused({ option, asked }, kindAsked(), flags.server, kinds);
  };
  const options = optionsOf(kinds).map((option) => once(() => settingsOf(option)));
  const { kind } = readTogether({
    kind: kindAsked,
    ...Object.fromEntries(options.map((option, nth) => [`option ${nth}`, option])),
  });
  const url = kind.place.by === 'address' ? { url: flags.server } : {};
  const settings = Object.assign({}, ...options.map((option) => option())) as object;
  return { kind, server: realServerSchema.parse({ kind: kind.name, ...url, ...settings }) };
}

/** Its flags that were given, and say something else than what is done without them. */
function askedBy({ flags: own }: ServerOption, flags: ServerFlags): readonly string[] {
  return own.flatMap(({ flag, fallback }) => {
    const [name = ''] = flag.split(' ');
    const word = flags[attributeOf(name)];
    return word === undefined || word === false || word === fallback ? [] : name;
  });
}

function refused(
  { option, asked }: { readonly option: ServerOption; readonly asked: readonly string[] },
  kind: ServerKind,
  address: string,
  kinds: Kinds,
): LoadlineError {
  const takers = kinds.filter(({ options }) => options.includes(option));
  const { text, why, instead = namingOne(takers) } = option.refusal(kind, address);
  const todo = [{ leave: asked }, instead];
  return usageError(text, [...asked, '--server'], todo, why);
}
