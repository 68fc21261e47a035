import { access, chmod, chown, constants, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { childEnvironment } from '../../host/child-environment.js';
import { removeFolder } from '../../host/remove-folder.js';
import { asUser } from '../../host/unprivileged.js';
import { fileRefusal } from '../../model/file-refusal.js';
import { asBatchWork } from './batch-work.js';
import { type Confinement, confined } from './confinement.js';
import { chromium } from './driver.js';
import { profileFolders } from './profile-folders.js';

const launchBoundMs = 20_000;

export interface ContextOrder {
  readonly chromiumPath: string;
  readonly temporaryRoot: string;
  /** Words in front of Chromium's own that start it inside a network. */
  readonly inside?: readonly string[];
  readonly flags: readonly string[];
  /** Its threads wait for those that run (`batch-work.ts`), as far as this host allows it. */
  readonly yields?: boolean;
  /** True: with windows on the screen. Absent: headless. */
  readonly headed?: boolean;
}

/** A Chromium that runs, with a folder that must be removed when it has ended. */
interface OpenContext {
  readonly context: BrowserContext;
  readonly profile: string;
  readonly folder: string;
}

/**
 * Starts a headless Chromium with a profile of its own, confined as well as this host allows. Rejects with the driver's
 * words, or E_FOLDER, E_DISK_FULL; then nothing is left behind.
 */
export function openContext(order: ContextOrder): Promise<OpenContext> {
  return confined(order, (how) => openConfined(order, how));
}

async function openConfined(order: ContextOrder, how: Confinement): Promise<OpenContext> {
  const folder = await profileFolders.make(order.temporaryRoot).catch((error: unknown) => {
    throw fileRefusal(error, 'The folder for the profile of a browser cannot be made.');
  });
  const profile = join(folder, 'profile');
  const artifacts = join(folder, 'artifacts');
  try {
    for (const path of [profile, artifacts]) await mkdir(path, { mode: 0o700 });
    if (how.as === 'other-user') await giveAway(folder, profile, how.user);
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: await executable(order, folder, how),
      artifactsDir: artifacts,
      headless: order.headed !== true,
      chromiumSandbox: how.sandbox,
      args: [...order.flags],
      env: childEnvironment(how.as === 'other-user' ? { HOME: profile } : {}),
      timeout: launchBoundMs,
      // Whoever conducts the run decides what a signal means.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return { context, profile, folder };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** The profile alone: the folder around it holds what root starts, which nobody else may change. */
async function giveAway(folder: string, profile: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chmod(folder, 0o711);
  await chown(profile, uid, gid);
}

/** Only root may enter a network, so that comes first and the user is changed inside. */
async function executable(order: ContextOrder, folder: string, how: Confinement): Promise<string> {
  const { chromiumPath, inside = [], yields = false } = order;
  const needed = [...inside, ...(how.as === 'other-user' ? asUser(how.user) : [])];
  const words = [...needed, ...(yields ? await asBatchWork() : [])];
  if (words.length === 0) return chromiumPath;
  const file = await startFile(folder, words, chromiumPath);
  // In some folders nothing may be started (`noexec`): who can do without the file then does.
  return needed.length > 0 || (await mayBeStarted(file)) ? file : chromiumPath;
}

function mayBeStarted(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * A program that starts `chromiumPath` behind these words, such as `ip netns exec NAME`: the browser driver starts one
 * file and nothing else. Each word replaces the one before in the same process, so that the driver's pipes and signals
 * reach Chromium.
 */
export async function startFile(folder: string, words: readonly string[], chromiumPath: string): Promise<string> {
  const path = join(folder, 'chromium-in-network');
  const command = [...words, chromiumPath].map(quoted).join(' ');
  await writeFile(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o700 });
  return path;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
