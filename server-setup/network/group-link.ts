import { type GroupNames, natTable, runSubnet } from './names.js';
import { runCommand } from './run-command.js';
import { firstPort } from './shape.js';

/** Ends and addresses of a group's link, when both interfaces are where they belong. */
export async function raiseLink(names: GroupNames): Promise<void> {
  const { namespace, probeDevice, hostDevice, hostAddress, probeAddress } = names;
  const outside = [`address add ${hostAddress}/30 dev ${hostDevice}`, `link set ${hostDevice} up`, ''];
  await runCommand(['ip', '-batch', '-'], outside.join('\n'));
  const inside = [
    'link set lo up',
    `address add ${probeAddress}/30 dev ${probeDevice}`,
    `link set ${probeDevice} up`,
    // Without a default route Chromium gathers no ICE candidates.
    `route add default via ${hostAddress}`,
    '',
  ];
  await runCommand(['ip', '-n', namespace, '-batch', '-'], inside.join('\n'));
}

/** A namespace with its own ports, so that a port names a connection, and without IPv6, which ICE would try. */
export async function makeNamespace(namespace: string): Promise<void> {
  await runCommand(['ip', 'netns', 'add', namespace]);
  await setInside(namespace, 'net/ipv6/conf/all/disable_ipv6', '1').catch(() => undefined);
}

/** The low byte of a connection's port is below `slots`. */
export async function limitPorts(namespace: string, slots: number): Promise<void> {
  await setInside(namespace, 'net/ipv4/ip_local_port_range', `${firstPort} ${firstPort + slots - 1}`);
}

/** A kernel's setting (sysctl) of the namespace. */
export async function setInside(namespace: string, key: string, value: string): Promise<void> {
  await runCommand(['ip', 'netns', 'exec', namespace, 'tee', `/proc/sys/${key}`], value);
}

/** Two interfaces that are one wire, for a network that nothing shapes. */
export async function makeVeth({ namespace, probeDevice, hostDevice }: GroupNames): Promise<void> {
  await runCommand(['ip', 'link', 'add', hostDevice, 'type', 'veth', 'peer', 'name', probeDevice, 'netns', namespace]);
}

/** For a media server on another machine: packets of the probes leave under this host's address. */
export async function makeNat(pid: number): Promise<void> {
  const table = natTable(pid);
  const rules = [
    `add table ip ${table}`,
    `add chain ip ${table} out { type nat hook postrouting priority srcnat; }`,
    `add rule ip ${table} out ip saddr ${runSubnet(pid)} ip daddr != ${runSubnet(pid)} masquerade`,
  ];
  await runCommand(['nft', '-f', '-'], `${rules.join('\n')}\n`);
}
