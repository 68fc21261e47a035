import { execFile } from 'node:child_process';
import { isRoot } from '../../host/is-root.js';
import { isFolderOpenToAll } from '../../host/open-to-all.js';
import { asUser, nobody, type Unprivileged } from '../../host/unprivileged.js';
import { LoadlineError } from '../../model/errors.js';

/**
 * As whom browsers run, because what they are given (SDP, media) is the media server's choice. Chromium's sandbox holds
 * each page in; it refuses to be set up as root.
 */
export type Confinement =
  | { readonly as: 'own-user'; readonly sandbox: true }
  | { readonly as: 'other-user'; readonly user: Unprivileged; readonly sandbox: boolean }
  | { readonly as: 'root'; readonly sandbox: false; readonly why: string };

/** What was found for each Chromium, and corrected when it would not start so. */
const found = new Map<string, Promise<Confinement>>();

interface BrowserPlaces {
  readonly chromiumPath: string;
  /** Where profiles are made. */
  readonly temporaryRoot: string;
}

const keyOf = ({ chromiumPath, temporaryRoot }: BrowserPlaces) => JSON.stringify([chromiumPath, temporaryRoot]);

/** The best that this host allows for a Chromium; asked once. */
export function confinementOf(places: BrowserPlaces): Promise<Confinement> {
  const known = found.get(keyOf(places)) ?? find(places);
  found.set(keyOf(places), known);
  return known;
}

async function find({ chromiumPath, temporaryRoot }: BrowserPlaces): Promise<Confinement> {
  if (!isRoot()) return { as: 'own-user', sandbox: true };
  const user = await nobody();
  const isOpen = await isFolderOpenToAll(temporaryRoot).catch(() => true);
  const why = isOpen ? await whyNotAs(user, chromiumPath) : `${user.name} may not enter ${temporaryRoot}`;
  return why === undefined ? { as: 'other-user', user, sandbox: true } : { as: 'root', sandbox: false, why };
}

const tryBoundMs = 30_000;

/** A Chromium in the home of root cannot be read by anybody else. */
function whyNotAs(user: Unprivileged, chromiumPath: string): Promise<string | undefined> {
  const [program = '', ...words] = [...asUser(user), chromiumPath, '--version'];
  return new Promise((resolve) => {
    execFile(program, words, { timeout: tryBoundMs, killSignal: 'SIGKILL', cwd: '/' }, (error, _, stderr) => {
      const missing = error && 'code' in error && error.code === 'ENOENT';
      if (!error) resolve(undefined);
      else resolve(missing ? 'setpriv (util-linux) is not installed' : stderr.trim().split('\n')[0] || error.message);
    });
  });
}

/** Its last words where kernel or container refuse a sandbox; its warnings of other things name it, too. */
const noSandbox = /No usable sandbox|Failed to move to new namespace/;

/**
 * Opens something with the confinement that was found. Where Chromium says that this host lets it make no sandbox,
 * another user than root is what is left, and that is remembered. An ordinary user has no weaker one, and
 * E_CHROMIUM_START says what to do. Rejects as `open` does.
 */
export async function confined<T>(places: BrowserPlaces, open: (how: Confinement) => Promise<T>): Promise<T> {
  const how = await confinementOf(places);
  try {
    return await open(how);
  } catch (error) {
    if (!how.sandbox || !noSandbox.test(String(error))) throw error;
    if (how.as === 'own-user') throw unconfined(places.chromiumPath, error);
    const weaker = { ...how, sandbox: false };
    found.set(keyOf(places), Promise.resolve(weaker));
    return open(weaker);
  }
}

function unconfined(chromiumPath: string, cause: unknown): LoadlineError {
  return new LoadlineError(
    'E_CHROMIUM_START',
    'Chromium can make no sandbox on this host, and does not start without one.',
    {
      where: chromiumPath,
      why: 'this user may not make user namespaces, and there is no chrome-sandbox program in their place',
      todo:
        'install chromium-sandbox (Debian), or allow them: sysctl -w user.max_user_namespaces=10000 (Ubuntu: kernel.apparmor_restrict_unprivileged_userns=0; ' +
        'a container: docker/README.md), or run Loadline as root, whose browsers run as nobody',
      cause,
    },
  );
}
