import { LoadlineError } from '../../model/errors.js';
import type { ServerPlan } from '../../model/plan.js';
import { readEgressLimit } from './values.js';

const schemes = ['kurento:', 'ws:', 'wss:'];

/** Reads `--server` and the limits that only the embedded server can be given. Throws E_SERVER_URL, E_RATE, E_USAGE. */
export function readServer(text: string, egressLimit: string | undefined): ServerPlan {
  const egressLimitBps = readEgressLimit(egressLimit);
  if (text === 'embedded') return { kind: 'embedded', ...(egressLimitBps === undefined ? {} : { egressLimitBps }) };
  const url = readUrl(text);
  if (egressLimitBps === undefined) return { kind: 'kurento', url };
  throw new LoadlineError('E_USAGE', '--egress-limit is for the embedded server only.', {
    where: '--egress-limit',
    why: `--server names ${text}, whose network Loadline does not control`,
    todo: 'leave --egress-limit out, or leave --server out to measure the embedded server',
  });
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && schemes.includes(url.protocol) && url.hostname !== '') return text;
  throw new LoadlineError('E_SERVER_URL', `--server cannot be "${text}".`, {
    where: '--server',
    why: url ? `the scheme ${url.protocol}// is not one that media servers are reached by` : 'it is not an address',
    todo: 'write embedded, kurento://HOST:8888, ws://HOST:8888/kurento or wss://…',
  });
}
