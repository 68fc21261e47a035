import { LoadlineError } from '../../model/errors.js';
import { secretNames } from './janus-options.js';

/** The request of the Admin API, which has a secret of its own. */
export const listSessions = 'list_sessions';

interface RefusalMeaning {
  /** What it means here; a sentence. */
  readonly means: string;
  readonly todo?: string;
}

function wrongSecret(of: 'api' | 'admin'): RefusalMeaning {
  return {
    means: 'The secret is wrong or missing.',
    todo: `set ${secretNames[of]} to the ${of}_secret of janus.jcfg`,
  };
}

/** Codes of the core (apierror.h) and of VideoRoom and AudioBridge (their sources and documentation, Janus 1.1). */
const refusals: Readonly<Record<number, RefusalMeaning>> = {
  403: wrongSecret('api'),
  456: { means: 'The transport lost the request.' },
  458: { means: 'The session is gone: it had been idle for too long, or Janus was started anew.' },
  459: { means: 'The connection of this participant is gone.' },
  460: { means: 'The plugin is not loaded.', todo: 'take it out of the list "disable" of plugins in janus.jcfg' },
  465: { means: 'The SDP or the candidate cannot be read.' },
  426: { means: 'The room is gone.' },
  427: { means: 'A room of that number is there already.' },
  428: { means: 'The publisher is not there, or not connected yet.' },
  430: {
    means: 'A value has another form than this Janus wants.',
    todo: 'set string_ids = false in the configuration of the plugin: rooms are numbers here',
  },
  432: { means: 'The room has as many publishers as it may have.' },
  433: {
    means: 'The plugin wants a key or a secret.',
    todo: `set ${secretNames.roomKey} to the admin_key of janus.plugin.videoroom.jcfg`,
  },
  485: { means: 'The room is gone.' },
  489: { means: 'The plugin wants a key or a secret.' },
  493: { means: 'The SDP has no sound that AudioBridge can use.' },
};

/** An answer of Janus that is an error, with its own code and text. */
export class JanusRefusal extends LoadlineError {
  /** Of the core or of a plugin. */
  readonly number: number;

  constructor(what: string, number: number, text: string) {
    const isOfAdmin = number === 403 && what === listSessions;
    const { means, todo } = isOfAdmin ? wrongSecret('admin') : (refusals[number] ?? {});
    super('E_SERVER_REFUSED', `Janus refused "${what}".${means === undefined ? '' : ` ${means}`}`, {
      where: what,
      why: `error ${number}: ${text}`,
      todo,
    });
    this.number = number;
  }
}

/** Resolves, too, where Janus says with one of these codes that what was to be ended is not there. */
export async function orGone(work: Promise<unknown>, ...numbers: readonly number[]): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof JanusRefusal && numbers.includes(error.number))) throw error;
  }
}

export const noSuchSession = 458;
/** Of VideoRoom and of AudioBridge. */
export const noSuchRoom = [426, 485] as const;
