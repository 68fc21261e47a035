import type { z } from 'zod';
import type { Environment, EnvironmentVariable, MissingSecret } from '../model/environment.js';
import { LoadlineError } from '../model/errors.js';
import type { Plan, RealServerPlan } from '../model/plan.js';
import type { Way } from '../model/remedy.js';
import type { ServerAbilities, ServerNature } from '../model/server-abilities.js';
import type { Speaker } from '../model/signalling.js';
import type { Subscribing } from '../model/subscribing.js';
import { isThisHost } from './evidence/host-address.js';
import type { MediaServer } from './media-server.js';

/**
 * Everything that the tool has to know of one kind of media server before it talks to one. The list of all kinds is
 * data (`kinds.ts`), and whoever needs to tell servers apart is given the list or one of it; nobody compares names. It
 * is read at every start of the command line, so `make` and `prepare` load what they need when they are called.
 */
export interface ServerKind {
  /** In plans, names of runs and reports: "embedded". */
  readonly name: string;
  /** In a sentence: "the embedded server". */
  readonly inWords: string;
  readonly nature: Exclude<ServerNature, 'simulated'>;
  readonly place: ServerPlace;
  readonly options: readonly ServerOption[];
  readonly abilities: ServerAbilities;
  /** What a plan may hold for it beside its kind: what its options read. */
  readonly settings: z.ZodType<ServerSettings>;
  /** Programs of this host that it needs for some of what it does; `doctor` looks for them. */
  readonly programs: readonly ServerProgram[];
  /** What it reads of the environment: secrets, which stand in no flag. Absent: nothing. */
  readonly environment?: readonly EnvironmentVariable[];
  /** Of the environment, what this server lets nobody in without. Absent: nothing. */
  readonly missing?: (server: RealServerPlan, env: Environment) => MissingSecret | undefined;
  /** Where media is given on other connections than it is taken on: by how many. Absent: one may carry both ways. */
  readonly subscribing?: (server: RealServerPlan) => Subscribing;
  /** What `loadline plan` says that it is. */
  readonly planned: (server: RealServerPlan) => string;
  /** Brings what this host must have for what is asked. Throws with what to do where it cannot be had. */
  readonly prepare?: (asked: AskedOfServer, host: HostHelp) => Promise<void>;
  /** Present where a probe host may speak to its servers itself, in place of who conducts. */
  readonly speaker?: () => Promise<Speaker>;
  /** Present where there is a standard that its servers can be held to; makes one session and ends it. */
  readonly conformance?: (order: ConformanceOrder) => Promise<readonly StandardCheck[]>;
  /** Starts nothing. */
  readonly make: (order: ServerOrder) => Promise<MediaServer>;
}

/** How a server comes to be there, and so how it is reached: from probes, relays, and the networks of a run. */
type ServerPlace =
  /** A process of the run on this host, named by the word alone. It listens where told, in a run's network, too. */
  | { readonly by: 'start' }
  /** It is there. From a network of the run the way to it is routed, and translated when it is on another host. */
  | {
      readonly by: 'address';
      /** Before "://", in lower case. */
      readonly schemes: readonly string[];
      /** "kind://HOST:PORT", for help. */
      readonly form: string;
      /** One that could be, for examples. */
      readonly example: string;
      /** The host of an address. Throws E_SERVER_URL. */
      readonly hostOf: (url: string) => string;
      /** How to write a WebSocket address that is usual for this kind; undefined for any other address. */
      readonly ofWebSocket?: (url: URL) => string | undefined;
    }
  /** Already there, named by the word. An option of its kind (also of `doctor`) says where, as the plan's `url`. */
  | {
      readonly by: 'option';
      readonly option: ServerOption;
      /** The word with the flags that say where, for help. */
      readonly form: string;
      /** An address that could be. */
      readonly example: string;
      /** The host of an address. Throws E_SERVER_URL. */
      readonly hostOf: (url: string) => string;
    };

type ServerSettings = Readonly<Record<string, string | number | boolean | undefined>>;
/** What was typed, by the names of flags: `egressLimit`. */
export type ServerWords = Readonly<Record<string, unknown>>;

/** Something that can be asked of servers of some kinds, by one flag or by several that belong together. */
export interface ServerOption {
  readonly flags: readonly ServerFlag[];
  /** Its settings that are run or reached: of a stored run they count only when they are given again. Absent: none. */
  readonly follows?: readonly FollowedSetting[];
  /** It says how its servers are reached, or where they run: `doctor` takes it, too. */
  readonly reaches?: true;
  /** What was asked, as settings of the plan; empty when nothing was. Throws E_USAGE and the like. */
  readonly read: (words: ServerWords) => ServerSettings;
  /** What is said where it is asked of a server that cannot have it; `instead` of naming another server. */
  readonly refusal: (asked: ServerKind, address: string) => { text: string; why: string; instead?: Way };
}

export interface FollowedSetting {
  /** Its name in the plan: "restartCommand". */
  readonly setting: string;
  /** What gives it: "--reset restart --reset-command". */
  readonly flag: string;
  /** True: a command that is run. Absent: an address, which secrets may go to. */
  readonly isRun?: true;
}

interface ServerFlag {
  /** "--egress-limit <rate>". */
  readonly flag: string;
  readonly help: string;
  readonly fallback?: string;
  /** What may stand in a plan file; absent: any word or number. */
  readonly shape?: z.ZodType;
  /** Help shows it without being asked for all flags. */
  readonly everyday?: true;
}

export interface ServerProgram {
  readonly file: string;
  readonly name: string;
  readonly neededFor: string;
  readonly install: string;
}

export interface AskedOfServer {
  readonly scenario: string;
  readonly mixes: boolean;
  readonly records: boolean;
}

export interface HostHelp {
  readonly hasProgram: (file: string) => Promise<boolean>;
  /** Has set-up bring a part by its name. */
  readonly bring: (
    part: string,
  ) => Promise<{ readonly found: boolean; readonly why?: string | undefined; readonly todo?: string | undefined }>;
}

interface ServerOrder {
  readonly plan: Plan;
  readonly server: RealServerPlan;
  /** Starts this tool again as a child. */
  readonly selfCommand: readonly string[];
  /** Where a server of the run listens, so that its networks reach it; absent: its usual place. */
  readonly listenOn?: string;
  /** The environment: secrets come from there, and are stored nowhere. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface ConformanceOrder extends Pick<ServerOrder, 'server' | 'env'> {
  /** Of a publisher that has no media. */
  readonly offer: string;
  readonly signal: AbortSignal;
}

/** One thing that the standard asks for, and what the server did. */
export interface StandardCheck {
  readonly mark: 'kept' | 'departs' | 'advised' | 'not-offered';
  /** Of the standard. */
  readonly section: string;
  /** What was done, and what came of it. */
  readonly text: string;
  /** What the standard has instead. */
  readonly rule?: string;
}

export type Kinds = readonly ServerKind[];

/** The kind that a plan names. Throws E_USAGE where there is none, as in a stored plan of another version. */
export function kindNamed({ kind }: Pick<RealServerPlan, 'kind'>, kinds: Kinds): ServerKind {
  const found = kinds.find(({ name }) => name === kind);
  if (found) return found;
  throw new LoadlineError('E_USAGE', `There is no kind of media server "${kind}".`, {
    where: kind,
    why: `known are: ${kinds.map(({ name }) => name).join(', ')}`,
    todo: 'use the version of Loadline that knows it',
  });
}

/** For help: "embedded, or kind://HOST:PORT". */
export function formsOf(kinds: Kinds): string {
  const forms = kinds.map(({ name, place }) => (place.by === 'start' ? name : place.form));
  return forms.length < 2 ? forms.join('') : `${forms.slice(0, -1).join(', ')}, or ${forms.at(-1)}`;
}

/** The first kind that is named by an address, for examples in help. */
export function exampleOf(kinds: Kinds): { readonly name: string; readonly url: string } {
  const [first] = kinds.flatMap(({ name, place }) => (place.by === 'address' ? [{ name, url: place.example }] : []));
  return first ?? { name: kinds[0]?.name ?? '', url: kinds[0]?.name ?? '' };
}

/** What to write in order to measure one of these instead. */
export function namingOne(kinds: Kinds): Way {
  const [kind] = kinds;
  if (!kind) return 'measure a server of another kind';
  switch (kind.place.by) {
    case 'start':
      return { leave: ['--server'], note: `to measure ${kind.inWords}` };
    case 'address':
      return { give: { '--server': kind.place.form } };
    case 'option':
      return `name the server with --server ${kind.place.form}`;
  }
}

/** The host that a server is on; undefined for one that the run starts, which is this one. */
export function hostOf({ place }: ServerKind, { url }: RealServerPlan): string | undefined {
  return place.by !== 'start' && url !== undefined ? place.hostOf(url) : undefined;
}

/** Whether it runs elsewhere. */
export async function isElsewhere(kind: ServerKind, server: RealServerPlan): Promise<boolean> {
  const host = hostOf(kind, server);
  return host !== undefined && !(await isThisHost(host));
}
