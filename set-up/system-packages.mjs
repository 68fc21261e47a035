/** Programs from the system's own package manager, as root or with a sudo that asks no password. */
import { existsSync, readFileSync } from 'node:fs';
import { say } from './report.mjs';
import { runQuietly } from './run-quietly.mjs';

const aptOptions = ['-y', '--no-install-recommends'];

/**
 * In order of preference; the first whose command exists is used. `packages` are tried one after the other; `sandbox`
 * is what they need beside them for a user who may make no user namespaces, where it is a package of its own that
 * `lists` has.
 */
const managers = [
  {
    command: 'apt-get',
    refresh: ['update'],
    install: (name) => ['install', ...aptOptions, name],
    // Ubuntu's `chromium` is a stub that installs a snap, which does not run in containers nor under Playwright.
    packages: () => (isUbuntu() ? ['chromium-headless-shell'] : ['chromium-headless-shell', 'chromium']),
    sandbox: 'chromium-sandbox',
    lists: async (name) => {
      const { code, output } = await runQuietly('apt-cache', ['show', '--no-all-versions', name]);
      return code === 0 && output.split('\n').includes(`Package: ${name}`);
    },
  },
  { command: 'dnf', install: (name) => ['install', '-y', name], packages: () => ['chromium-headless', 'chromium'] },
  { command: 'apk', install: (name) => ['add', '--no-cache', name], packages: () => ['chromium'] },
  { command: 'pacman', install: (name) => ['-Sy', '--noconfirm', name], packages: () => ['chromium'] },
  { command: 'brew', install: (name) => ['install', '--cask', name], packages: () => ['chromium'], asUser: true },
];

/** The command a person would type; undefined where no known package manager has a Chromium. */
export async function installCommand() {
  const manager = findManager();
  if (!manager || (manager.command === 'apt-get' && isUbuntu())) return undefined;
  const [name] = manager.packages();
  const all = (await hasSandbox(manager)) ? [name, manager.sandbox] : [name];
  return `${manager.asUser ? '' : 'sudo '}${manager.command} ${installArguments(manager, all)
    .filter((one) => !aptOptions.includes(one))
    .join(' ')}`;
}

async function hasSandbox({ sandbox, lists }) {
  return sandbox !== undefined && (await lists(sandbox));
}

/** Resolves when a package was installed, or when nothing more can be tried: the caller looks what is there. */
export async function installPackage() {
  const manager = findManager();
  const prefix = manager && (await rights(manager));
  if (!prefix) return;
  const run = (args) => {
    const [command, ...rest] = [...prefix, manager.command, ...args];
    return runQuietly(command, rest, { env: { DEBIAN_FRONTEND: 'noninteractive' }, silenceMs: 180_000 });
  };
  const attempt = async () => {
    for (const name of manager.packages()) {
      say(`installing ${name} with ${manager.command}, which may take minutes`);
      if ((await run(manager.install(name))).code === 0) return true;
    }
    return false;
  };
  const again = async () => manager.refresh && (await run(manager.refresh)).code === 0 && attempt();
  if (!((await attempt()) || (await again())) || !(await hasSandbox(manager))) return;
  say(`installing ${manager.sandbox} with ${manager.command}`);
  if ((await run(manager.install(manager.sandbox))).code === 0) return;
  say(`${manager.sandbox} could not be installed: for a user who may make no user namespaces Chromium will not start`);
}

/** The command a person would type to install all of these; `names` has a list for each package manager. */
export function installAllCommand(names) {
  const manager = findManager();
  const list = names[manager?.command];
  return (
    list &&
    `sudo ${manager.command} ${installArguments(manager, list)
      .filter((one) => !aptOptions.includes(one))
      .join(' ')}`
  );
}

/** Resolves when they were installed, or when nothing more can be tried: the caller looks what is there. */
export async function installAll(names) {
  const manager = findManager();
  const list = names[manager?.command];
  const prefix = list && (await rights(manager));
  if (!prefix) return;
  const run = async (args) => {
    const [command, ...rest] = [...prefix, manager.command, ...args];
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    return (await runQuietly(command, rest, { env, silenceMs: 180_000 })).code === 0;
  };
  const attempt = () => {
    say(`installing ${list.join(', ')} with ${manager.command}, which may take minutes`);
    return run(installArguments(manager, list));
  };
  if (await attempt()) return;
  if (manager.refresh && (await run(manager.refresh))) await attempt();
}

function installArguments(manager, [first, ...others]) {
  return [...manager.install(first), ...others];
}

/** What to put before the command; undefined without the rights to install. */
async function rights(manager) {
  if (manager.asUser || process.getuid?.() === 0) return [];
  const { code } = await runQuietly('sudo', ['-n', 'true'], { timeoutMs: 5000 });
  return code === 0 ? ['sudo', '-n'] : undefined;
}

function findManager() {
  const folders = (process.env.PATH ?? '').split(':');
  return managers.find((one) => folders.some((folder) => folder !== '' && existsSync(`${folder}/${one.command}`)));
}

function isUbuntu() {
  try {
    return /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}
