import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { once } from '../../host/once.js';
import { removeFolder } from '../../host/remove-folder.js';
import { LoadlineError } from '../../model/errors.js';
import type { Box, BoxDevices, BoxOptions } from './box.js';
import { dropsOf, endsOf } from './drops.js';
import { networkFolders } from './leftovers.js';
import { groupNames } from './names.js';
import { runCommand } from './run-command.js';
import { redirectLines } from './shape.js';
import { doneWord, openUmlConsole, readyWord } from './uml-console.js';

const memory = '96M';
const comesUpMs = 15_000;
const modules = ['sch_htb', 'sch_ingress', 'sch_netem', 'act_mirred', 'cls_u32'];

/** The first process of User-mode Linux; its files are the host's, read only. Obeys its console. */
const initScript = `#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
stty -echo 2>/dev/null
mount -t proc none /proc
mount -t sysfs none /sys
for module in ${modules.join(' ')}; do
  for file in /usr/lib/uml/modules/$(uname -r)/kernel/net/sched/$module.ko*; do insmod "$file" 2>&1; done
done
ip link set lo up
echo ${readyWord}
while read -r number script; do
  sh "$script" 2>&1
  echo "${doneWord} $number $?"
done
poweroff -f
`;

/**
 * A second Linux kernel as an ordinary process, with netem, for hosts whose own has none. Its interfaces are taps:
 * those of the probes are moved into their namespaces, those on the server's side stay with the host. It ends with us,
 * however we end.
 */
export async function openUmlBox({ pid, groups, folder, signal }: BoxOptions): Promise<Box> {
  const taps = groups.flatMap((group) => [groupNames(pid, group).probeDevice, groupNames(pid, group).hostDevice]);
  for (const tap of taps) await runCommand(['ip', 'tuntap', 'add', tap, 'mode', 'tap']);
  const linux = await bootUml(pid, folder, taps, signal);
  let scripts = 0;
  const run = async (text: string): Promise<void> => {
    // A new name each time: User-mode Linux may keep what it has read of a file.
    scripts += 1;
    const script = join(folder, `script-${scripts}.sh`);
    await writeFile(script, text);
    await linux.run(script);
  };
  const tc = (lines: readonly string[]) => run(`tc -batch - <<'end-of-lines'\n${lines.join('\n')}\nend-of-lines\n`);
  try {
    for (const group of groups) {
      const { towardsProbes, towardsServer } = devicesOf(groups, group);
      // This opens the taps, by name, so that it goes before the move into a namespace where the name is not seen.
      await run([towardsProbes, towardsServer].map((device) => `ip link set ${device} up promisc on\n`).join(''));
      await tc(redirectLines(towardsProbes, towardsServer));
      const { probeDevice, namespace } = groupNames(pid, group);
      await runCommand(['ip', 'link', 'set', probeDevice, 'netns', namespace]);
    }
  } catch (error) {
    await linux.close();
    throw error;
  }
  return {
    devices: (group) => devicesOf(groups, group),
    tc,
    pid: linux.pid,
    lost: linux.lost,
    // A tap drops what User-mode Linux has no time to read.
    overflow: () => dropsOf(groups.flatMap((group) => endsOf(pid, group))),
    close: () => linux.close(),
  };
}

async function bootUml(owner: number, folder: string, taps: readonly string[], signal: AbortSignal) {
  const init = join(folder, 'init.sh');
  await writeFile(init, initScript, { mode: 0o700 });
  return openUmlConsole(umlCommand(owner, folder, init, taps), signal);
}

/** Why User-mode Linux does not come up on this host, a sentence part; undefined where it does. Takes 2 s, once. */
export const umlLack = once(async (): Promise<string | undefined> => {
  const folder = await networkFolders.make(tmpdir());
  try {
    const linux = await bootUml(pid, folder, [], AbortSignal.timeout(comesUpMs));
    await linux.close();
    return undefined;
  } catch (error) {
    return error instanceof LoadlineError ? (error.why ?? error.message) : String(error);
  } finally {
    await removeFolder(folder);
  }
});

/**
 * `setpriv` ends `unshare` when we end, and that ends the process namespace in which all processes of User-mode Linux
 * are. It goes before the browsers on a full CPU: a network does not get slower because they are busy.
 */
function umlCommand(pid: number, folder: string, init: string, taps: readonly string[]): readonly string[] {
  return [
    ...['setpriv', '--pdeathsig', 'KILL', 'nice', '-n', '-10', 'unshare', '--pid', '--kill-child', 'linux.uml'],
    ...[`mem=${memory}`, 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', `uml_dir=${join(folder, 'uml')}`],
    ...[`umid=loadline-${pid}`, `init=${init}`, ...taps.map((tap, index) => `eth${index}=tuntap,${tap}`)],
    ...['con0=fd:0,fd:1', 'con=null', 'quiet'],
  ];
}

function devicesOf(groups: readonly number[], group: number): BoxDevices {
  const first = 2 * groups.indexOf(group);
  return { towardsProbes: `eth${first}`, towardsServer: `eth${first + 1}` };
}
