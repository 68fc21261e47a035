import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { jsonIn } from '../../model/json-text.js';
import { isBlockedByBrowsers } from '../../model/turn.js';
import type { TurnSecrets } from './credentials.js';
import { parseTurnUrl, type TurnAddress } from './turn-url.js';

/** A TURN server that is there already, by one of its addresses. */
interface NamedTurn {
  readonly address: TurnAddress;
  /** Absent: the environment has them. */
  readonly secrets?: TurnSecrets;
}

interface NamedTurns {
  /** As it was written: an address, or the file. */
  readonly text: string;
  /** One at least, in their order. */
  readonly servers: readonly NamedTurn[];
}

const oneOrMore = <Item extends z.ZodType>(item: Item) => z.union([z.array(item), item.transform((one) => [one])]);
/** RTCIceServer (webrtc-pc, 4.2.4). */
const iceServerSchema = z.object({
  urls: oneOrMore(z.string()),
  username: z.string().optional(),
  credential: z.string().optional(),
});
/** As providers answer: `{"iceServers": [...]}`, one server in place of the list, or the list alone. */
const fileSchema = z.union([
  z.object({ iceServers: oneOrMore(iceServerSchema) }).transform(({ iceServers }) => iceServers),
  oneOrMore(iceServerSchema),
]);

/** One address, or a file of JSON as providers give it. Throws E_TURN_URL. */
export function readNamedTurns(text: string): NamedTurns {
  if (!/\.json$/i.test(text)) return { text, servers: [{ address: parseTurnUrl(text) }] };
  return { text, servers: turnsIn(textOf(text), text) };
}

/** Those that browsers can use: not of STUN, nor at port 53. */
function turnsIn(json: string, file: string): readonly NamedTurn[] {
  const read = fileSchema.safeParse(jsonIn(json));
  if (!read.success) throw unreadable(file, 'it is no JSON with iceServers, each with its urls');
  const servers = read.data.flatMap(({ urls, username, credential }) =>
    urls
      .filter((url) => /^turns?:/i.test(url) && !isBlockedByBrowsers(url))
      .map((url) => {
        if (!username || !credential) throw unreadable(file, `${url} has no username or no credential`);
        return { address: parseTurnUrl(url), secrets: { kind: 'account' as const, username, password: credential } };
      }),
  );
  if (servers.length === 0) throw unreadable(file, 'it names no TURN server that browsers send anything to');
  return servers;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(file: string, why: string): LoadlineError {
  return new LoadlineError('E_TURN_URL', `The TURN servers of "${file}" cannot be read.`, {
    where: '--turn-server',
    why,
    todo: 'put there what the provider answers: {"iceServers": [{"urls": […], "username": …, "credential": …}]}',
  });
}
