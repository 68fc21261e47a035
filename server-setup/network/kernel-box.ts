import type { Box, BoxDevices, BoxOptions } from './box.js';
import { dropsOf, endsOf, type PlacedDevice } from './drops.js';
import { boxNamespace, groupNames } from './names.js';
import { runCommand, tryCommand } from './run-command.js';
import { redirectLines } from './shape.js';

/**
 * A namespace on the way, in a kernel that has netem. Packets come in by one veth and are redirected out by another,
 * whose netem drops and delays them: a hop of their own, so that no sender's stack sees the drop and sends again.
 */
export async function openKernelBox({ pid, groups }: BoxOptions): Promise<Box> {
  const namespace = boxNamespace(pid);
  const inside = ['ip', 'netns', 'exec', namespace];
  const tc = async (lines: readonly string[]): Promise<void> => {
    await runCommand([...inside, 'tc', '-batch', '-'], `${lines.join('\n')}\n`);
  };
  await runCommand(['ip', 'netns', 'add', namespace]);
  for (const group of groups) {
    const { namespace: probes, probeDevice, hostDevice } = groupNames(pid, group);
    const { towardsProbes, towardsServer } = devicesOf(group);
    await runCommand(
      ['ip', '-batch', '-'],
      [
        `link add ${probeDevice} netns ${probes} type veth peer name ${towardsProbes} netns ${namespace}`,
        `link add ${hostDevice} type veth peer name ${towardsServer} netns ${namespace}`,
        '',
      ].join('\n'),
    );
    // Netem must count what is on the wire: large packets that a network card would cut later are cut before it.
    for (const device of [towardsProbes, towardsServer]) {
      await runCommand([...inside, 'ip', 'link', 'set', device, 'up', 'gso_max_segs', '1']);
    }
    await tc(redirectLines(towardsProbes, towardsServer));
  }
  return {
    devices: devicesOf,
    tc,
    // A veth drops what finds the queue of the CPU that receives it full.
    overflow: () => dropsOf(groups.flatMap((group) => [...endsOf(pid, group), ...insideOf(namespace, group)])),
    close: async () => {
      await tryCommand(['ip', 'netns', 'del', namespace]);
    },
  };
}

/** On its way out of the box a packet passes a veth, too. */
function insideOf(namespace: string, group: number): PlacedDevice[] {
  return Object.values(devicesOf(group)).map((device) => ({ namespace, device }));
}

function devicesOf(group: number): BoxDevices {
  return { towardsProbes: `p${group}`, towardsServer: `s${group}` };
}
