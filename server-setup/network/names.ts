import { processSpace } from '../../host/process-space.js';

/**
 * Every name and address of what one run makes on this host, from the pid of its process: two runs at once have nothing
 * in common, and what a killed one left is known by its dead owner. Containers may share the host's network and not its
 * pids, so names say where the pid is counted. An interface's name has 15 characters at most.
 */
export interface GroupNames {
  readonly namespace: string;
  /** The interface of the probes, in their namespace. */
  readonly probeDevice: string;
  /** Its other end, on the server's side, in the host's own namespace. */
  readonly hostDevice: string;
  readonly probeAddress: string;
  readonly hostAddress: string;
}

export function groupNames(pid: number, group: number): GroupNames {
  const subnet = subnetOf(pid);
  return {
    namespace: `loadline-${pid}-${group}-${processSpace}`,
    probeDevice: `ll${pid}p${group}${processSpace}`,
    hostDevice: `ll${pid}h${group}${processSpace}`,
    hostAddress: `${subnet}.${4 * group + 1}`,
    probeAddress: `${subnet}.${4 * group + 2}`,
  };
}

/** Of the addresses that RFC 1918 leaves to everybody, a corner that few use; each pid has its own 256 of them. */
function subnetOf(pid: number): string {
  return `10.${192 + ((pid >> 8) & 63)}.${pid & 255}`;
}

/** All addresses of a run, for the firewall. */
export function runSubnet(pid: number): string {
  return `${subnetOf(pid)}.0/24`;
}

export const boxNamespace = (pid: number) => `loadline-${pid}-box-${processSpace}`;
export const natTable = (pid: number) => `loadline_${pid}`;

const patterns = {
  namespace: new RegExp(`^loadline-(\\d+)-(?:\\d+|box)-${processSpace}$`),
  device: new RegExp(`^ll(\\d+)[ph]\\d+${processSpace}$`),
  natTable: /^loadline_(\d+)$/,
} as const;

/** Pid of the process that made something of this name; `undefined` if not ours, or of another container. */
export function ownerOf(kind: keyof typeof patterns, name: string): number | undefined {
  const pid = patterns[kind].exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}
