import { ControlGroups } from '../../host/control-groups.js';
import { allowedCpus, areApart, coresHeldTo } from '../../host/core-count.js';
import { readQuotasApart, tightestQuota } from '../../host/cpu-quota.js';
import { memoryLimitMb } from '../../host/memory-limit.js';
import { given } from '../../model/given.js';
import type { ServerFacts } from '../../model/run.js';
import { isThisHost } from './host-address.js';
import { namedProcess } from './named-process.js';
import { findServer } from './process-resources.js';

/** A server's process on this host, and what its control groups and CPUs give it; nothing where no process is known. */
export async function processFacts(pid: number | undefined): Promise<Pick<ServerFacts, 'pid' | 'heldTo'>> {
  if (pid === undefined) return {};
  const groups = new ControlGroups();
  const cores = coresHeldTo(pid, tightestQuota(await readQuotasApart(pid, groups)));
  const memoryMb = await memoryLimitMb(pid, groups);
  const apart = areApart(allowedCpus(pid), allowedCpus('self')) || undefined;
  const heldTo = cores === undefined && memoryMb === undefined ? undefined : given({ cores, memoryMb, apart });
  return given({ pid, heldTo });
}

interface Place {
  readonly host: string;
  /** Where it listens, and how its name begins there; absent: it is known only where it was said. */
  readonly port?: number;
  readonly program?: string;
  /** As of `namedProcess`; absent: as of `pid`, else what listens there. */
  readonly process?: string | undefined;
  readonly pid?: number | undefined;
}

/** Where a server runs, and as what. Throws E_USAGE where the process that was said is not there. */
export async function runsAt({ host, port, program, process, pid: known }: Place) {
  const sameHost = await isThisHost(host);
  const isFound = sameHost && process === undefined && port !== undefined && program !== undefined;
  const found = known ?? (isFound ? await findServer(port, program) : undefined);
  const pid = process === undefined ? found : await namedProcess(process);
  return { sameHost, ...(await processFacts(pid)) };
}
