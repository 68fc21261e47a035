import { carriesText } from '../../analysis/judge/calibration.js';
import type { HostRoom } from '../../analysis/needs/plan-cost.js';
import { statedCosts } from '../../analysis/needs/probe-costs.js';
import type { LoadlineError } from '../../model/errors.js';
import type { ProbeCost } from '../../model/probe-kinds.js';
import type { Confinement } from '../../probes/chromium/confinement.js';
import type { ChromiumLack } from '../../probes/chromium/try-chromium.js';
import type { MeansChoice } from '../../server-setup/network/means.js';
import type { ServerProgram } from '../../server-setup/server-kind.js';

/** One line of `loadline doctor`. `fail`: find would not work; `warn`: it would, and something is missing or small. */
export interface Check {
  readonly mark: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do; every failed check has one. */
  readonly remedy?: string;
}

export const ok = (text: string): Check => ({ mark: 'ok', text });
export const warn = (text: string, remedy: string): Check => ({ mark: 'warn', text, remedy });
export const fail = (text: string, remedy: string): Check => ({ mark: 'fail', text, remedy });

/** What is in the way and why, in one sentence. */
export function refusalText({ message, why }: LoadlineError): string {
  return why === undefined ? message : `${message.replace(/\.$/, '')}: ${why}`;
}

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > 20 || (major === 20 && minor >= 19);
  return enough
    ? ok(`Node ${version}`)
    : fail(`Node ${version} is too old`, 'install Node 20.19 or newer (22 and 24 are good, too)');
}

/** `lacks` is what was wrong when it was started; absent when it was fine. */
export function checkChromium(
  found: { readonly path: string; readonly version: string; readonly lacks?: ChromiumLack | undefined } | undefined,
): Check {
  if (!found) {
    return fail(
      'there is no Chromium',
      'apt-get install chromium, or name one with --chromium PATH or LOADLINE_CHROMIUM',
    );
  }
  const name = `Chromium ${found.version} (${found.path})`;
  if (found.lacks === undefined) return ok(`${name} starts headless with the fake camera`);
  return fail(
    `${name}: ${found.lacks.text}`,
    found.lacks.todo ?? `run ${found.path} --headless by hand and see what it lacks, or name another with --chromium`,
  );
}

/** Where media servers could break out to, if Chromium has a hole. */
export function checkConfinement(how: Confinement): Check {
  if (how.as === 'root') {
    return warn(
      `browsers run as root and without a sandbox: ${how.why}`,
      'run Loadline as an ordinary user, or name a Chromium that everybody can read with --chromium',
    );
  }
  if (how.as === 'own-user') return ok("browsers run as this user, in Chromium's sandbox");
  if (how.sandbox) return ok(`browsers run as ${how.user.name}, in Chromium's sandbox`);
  return warn(
    `browsers run as ${how.user.name}, but without a sandbox`,
    'allow user namespaces: sysctl -w user.max_user_namespaces=10000 (Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0)',
  );
}

/** Where a media server's media could break out to, if what plays such probes has a hole. */
export function checkWhoPlays(player: string, uid: number, why: string | undefined): Check {
  if (uid !== 0) return ok(`${player} probes run as this user, without a way to more rights`);
  if (why === undefined) return ok(`${player} probes run as nobody`);
  return warn(
    `${player} probes run as root: ${why}`,
    'run Loadline as an ordinary user, or have Node and Loadline where everybody may read them (/opt, not /root)',
  );
}

/** `capEff` is the line of /proc/self/status; CAP_NET_ADMIN is bit 12 (capabilities(7)). */
export function checkRights(uid: number, capEff: string | undefined): Check {
  const netAdmin = capEff !== undefined && (BigInt(`0x${capEff}`) & (1n << 12n)) !== 0n;
  if (uid === 0 && (netAdmin || capEff === undefined)) return ok('root, with the right to change networks and cgroups');
  if (netAdmin)
    return warn(
      'CAP_NET_ADMIN without root: networks can be changed, cgroups perhaps not',
      'run as root for --cpu-limit',
    );
  return warn(
    uid === 0 ? 'root without CAP_NET_ADMIN, as in a container' : 'neither root nor CAP_NET_ADMIN',
    'needed for --cpu-limit and impaired networks only: run as root (containers: --cap-add NET_ADMIN)',
  );
}

/** Two ports for each end of a call on one host: a small range ends a search early. */
export function checkPorts(room: HostRoom, canBind: { readonly udp: boolean; readonly tcp: boolean }): Check {
  const shut = [canBind.udp ? [] : 'UDP', canBind.tcp ? [] : 'TCP'].flat();
  if (shut.length > 0) {
    return fail(
      `no ${shut.join(' and no ')} port can be opened on 127.0.0.1`,
      'end what holds the ports, or allow sockets to this user',
    );
  }
  const { udpPorts } = room;
  if (udpPorts === undefined) return ok('UDP and TCP ports can be opened');
  const text = `UDP and TCP ports can be opened, ${udpPorts} in the ephemeral range`;
  return udpPorts >= 10_000 ? ok(text) : warn(text, 'sysctl -w net.ipv4.ip_local_port_range="10000 65000"');
}

export function checkOpenFiles({ openFiles }: HostRoom): Check {
  if (openFiles === undefined) return warn('the limit of open files is not known', 'see ulimit -n');
  const text = `ulimit -n is ${openFiles}`;
  if (openFiles < 256) return fail(text, 'ulimit -n 4096');
  return openFiles >= 4096
    ? ok(text)
    : warn(`${text}: enough for about ${openFiles - 256} connections`, 'ulimit -n 65536');
}

/** Receive buffers that are too small lose packets in bursts, which would count as the server's loss. */
export function checkReceiveBuffer(rmemMax: number | undefined): Check {
  if (rmemMax === undefined) return warn('net.core.rmem_max is not known', 'sysctl net.core.rmem_max');
  const text = `net.core.rmem_max is ${Math.round(rmemMax / 1024)} KiB`;
  return rmemMax >= 1_000_000
    ? ok(text)
    : warn(`${text}: bursts may be lost on this host`, 'sysctl -w net.core.rmem_max=2500000');
}

/** `elsewhere` is an address that a server could have on another machine, when it is on this one; else absent. */
export function checkCores(cores: number, elsewhere: string | undefined): Check {
  // As a plan does: a server elsewhere leaves no room that more probes were seen to use.
  const calls = ({ coresPerProbe, serverCoresPerProbe }: ProbeCost) =>
    Math.floor(cores / (2 * (coresPerProbe + serverCoresPerProbe)));
  const [full, encoded] = [calls(statedCosts.full), calls(statedCosts.encoded)];
  const text = `${cores} cores: about ${full} calls of full probes (${2 * full}), or ${encoded} of encoded ones (${2 * encoded})`;
  return elsewhere !== undefined
    ? warn(
        `${text}, with the media server beside them`,
        `for a limit of the server alone, run it elsewhere: --server ${elsewhere}`,
      )
    : ok(text);
}

/** What `loadline calibrate` found on this host with the Chromium that is used, or with another one. */
export function checkCalibration(
  found: readonly ({ readonly chromium: string } & Parameters<typeof carriesText>[0])[],
  chromium: string | undefined,
): Check {
  const own = found.find((one) => one.chromium === chromium) ?? found[0];
  if (!own) return warn('how many probes this host carries was never measured', 'loadline calibrate');
  const text = carriesText(own);
  if (own.chromium === chromium) return ok(text);
  return warn(`${text}, measured with Chromium ${own.chromium}`, 'loadline calibrate, because another one is used now');
}

export function checkMemory({ memoryMb }: HostRoom): Check {
  if (memoryMb === undefined) return warn('the free memory is not known', 'watch it while it runs');
  const text = `${memoryMb} MiB of memory available`;
  return memoryMb >= 1024
    ? ok(text)
    : fail(`${text}; one browser and some spare need 1024`, 'end other programs, or take a larger host');
}

/**
 * Which means of impairing networks is used and why, or what is missing, which is in the way where networks were
 * `asked` for; `to` is said where it is for some servers only.
 */
export function checkNetworks(choice: MeansChoice, { to = '', asked = false } = {}): Check {
  if (choice.ok) {
    const means = choice.facts.means === 'netem' ? "the kernel's own netem" : 'netem of a User-mode Linux';
    return ok(`impaired networks by ${means}: ${choice.facts.why}`);
  }
  const text = `no impaired networks${to}: ${choice.why}`;
  return asked ? fail(text, choice.todo) : warn(text, `needed for --network only: ${choice.todo}`);
}

/** `found` is the folder that will be used, or why there is none; `own` the one that is tried first. */
export function checkCache(found: string | LoadlineError, own: string): Check {
  if (typeof found !== 'string') return fail(refusalText(found), found.todo ?? '');
  if (found === own) return ok(`clips are kept in ${own}`);
  return warn(`${own} cannot be written: clips are kept in ${found}`, 'XDG_CACHE_HOME may name another folder');
}

export function checkTemporary(refusal: LoadlineError | undefined, folder: string): Check {
  if (refusal === undefined) return ok(`temporary files can be made in ${folder}`);
  return fail(refusalText(refusal), 'TMPDIR may name another folder');
}

export function checkState(refusal: LoadlineError | undefined, folder: string): Check {
  if (refusal === undefined) return ok(`calibrations can be kept in ${folder}`);
  const remedy = 'needed for loadline calibrate only: XDG_STATE_HOME may name another folder';
  return warn(refusalText(refusal), remedy);
}

export function checkCgroup(version: 'v1' | 'v2' | undefined): Check {
  return version
    ? ok(`cgroup ${version} with a CPU controller`)
    : warn('no cgroup with a CPU controller', 'needed for --cpu-limit only: mount cgroup2 on /sys/fs/cgroup');
}

type Program = Pick<ServerProgram, 'name' | 'neededFor' | 'install'>;

export function checkProgram({ name, neededFor, install }: Program, found: boolean): Check {
  return found
    ? ok(`${name} for ${neededFor}`)
    : warn(`${name} is not installed, needed for ${neededFor} only`, install);
}

export function checkServer(
  url: string,
  answer: { readonly name: string } | { readonly failure: string; readonly remedy: string },
): Check {
  return 'name' in answer ? ok(`${answer.name} answers at ${url}`) : fail(answer.failure, answer.remedy);
}

/** The lines, and the exit code: 0 when find would work. */
export function doctorReport(checks: readonly Check[]): { readonly text: string; readonly exitCode: 0 | 2 } {
  const marks = { ok: '✓', warn: '!', fail: '✗' } as const;
  const lines = checks.flatMap(({ mark, text, remedy }) => [
    `  ${marks[mark]} ${text}`,
    ...(remedy === undefined ? [] : [`      do  ${remedy}`]),
  ]);
  const failed = checks.filter(({ mark }) => mark === 'fail').length;
  const end = failed === 0 ? 'loadline find would work here.' : `loadline find would not work here: ${failed} ✗ above.`;
  return { text: `${lines.join('\n')}\n\n  ${end}\n`, exitCode: failed === 0 ? 0 : 2 };
}
