import { LoadlineError, messageOf } from '../../model/errors.js';
import { shellAnswer } from '../shell-answer.js';
import type { AskedPlacement } from './placement.js';

const boundMs = 5000;

/**
 * The user's own command says where each session goes: it gets `{ session, servers }` as JSON on its standard input and
 * writes the name of a server. Rejects with E_SERVER_REFUSED where it fails, names none of them, or takes longer than 5
 * s; the session is refused then, as by a balancer that fails.
 */
export function askedPlacer(command: string, withinMs = boundMs): AskedPlacement {
  return async (session, candidates) => {
    const input = JSON.stringify({ session, servers: candidates });
    const answer = await shellAnswer(command, input, withinMs).catch((error: unknown) => {
      throw refused(command, messageOf(error));
    });
    const said = answer.trim();
    const index = candidates.findIndex(({ name }) => name === said);
    if (index >= 0) return index;
    const names = candidates.map(({ name }) => name).join(', ');
    throw refused(
      command,
      `it wrote ${said === '' ? 'nothing' : `"${said.slice(0, 200)}"`}, and the servers are ${names}`,
    );
  };
}

function refused(command: string, why: string): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', 'The placer did not say on which server a session goes.', {
    where: `--placer ${command}`,
    why,
    todo: 'have it write the name of one of the servers that it gets, within 5 s',
  });
}
