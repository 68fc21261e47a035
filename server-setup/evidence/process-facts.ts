import { ControlGroups } from '../../host/control-groups.js';
import { readQuotasApart, tightestQuota } from '../../host/cpu-quota.js';
import { memoryLimitMb } from '../../host/memory-limit.js';
import { given } from '../../model/given.js';
import type { ServerFacts } from '../../model/run.js';

/** A server's process on this host, and what its control groups give it; nothing where no process is known. */
export async function processFacts(pid: number | undefined): Promise<Pick<ServerFacts, 'pid' | 'heldTo'>> {
  if (pid === undefined) return {};
  const groups = new ControlGroups();
  const cores = tightestQuota(await readQuotasApart(pid, groups));
  const memoryMb = await memoryLimitMb(pid, groups);
  const heldTo = cores === undefined && memoryMb === undefined ? undefined : given({ cores, memoryMb });
  return given({ pid, heldTo });
}
