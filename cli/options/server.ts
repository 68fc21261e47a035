import { LoadlineError } from '../../model/errors.js';
import type { ServerPlan } from '../../model/plan.js';
import { parseServerUrl } from '../../server-setup/kurento/server-url.js';
import { readEgressLimit } from './values.js';

/** Reads `--server` and the limits that only the embedded server can be given. Throws E_SERVER_URL, E_RATE, E_USAGE. */
export function readServer(text: string, egressLimit: string | undefined): ServerPlan {
  const egressLimitBps = readEgressLimit(egressLimit);
  if (text === 'embedded') return { kind: 'embedded', ...(egressLimitBps === undefined ? {} : { egressLimitBps }) };
  parseServerUrl(text);
  if (egressLimitBps === undefined) return { kind: 'kurento', url: text };
  throw new LoadlineError('E_USAGE', '--egress-limit is for the embedded server only.', {
    where: '--egress-limit',
    why: `--server names ${text}, whose network Loadline does not control`,
    todo: 'leave --egress-limit out, or leave --server out to measure the embedded server',
  });
}
