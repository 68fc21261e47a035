/** All of the set-up. `npm run set-up` runs it; `./loadline` and `npm test` do what is missing of it on each start. */
import { pathToFileURL } from 'node:url';
import { buildBundle, bundleIsReady } from './bundle.mjs';
import { ensureChromium } from './chromium.mjs';
import { alone } from './lock.mjs';
import { installPackages, packagesAreReady } from './packages.mjs';
import { checkoutLock, isCheckout } from './places.mjs';
import { endWith, SetUpStopped, say } from './report.mjs';

/** npm packages and the build. Quick when there is nothing to do: two files compared, sources hashed. */
export async function bringUpToDate() {
  if (!isCheckout || (packagesAreReady() && bundleIsReady())) return;
  await alone(checkoutLock, async () => {
    if (!packagesAreReady()) await installPackages();
    if (!bundleIsReady()) await buildBundle();
  });
}

/** The same, and a Chromium. Throws SetUpStopped with the command to run when there can be none. */
export async function bringAllUpToDate() {
  await bringUpToDate();
  const chromium = await ensureChromium();
  if (!chromium.found) throw new SetUpStopped(`${chromium.why}; ${chromium.todo}.`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await bringAllUpToDate().catch(endWith);
  say('ready');
}
