import { z } from 'zod';
import { gstreamerInstallCommand } from '../../host/find-gstreamer.js';
import { jsonIn } from '../../model/json-text.js';
import type { ServerFacts } from '../../model/run.js';
import type { MissingAbility } from '../../model/server-abilities.js';
import { embeddedAbilities } from '../embedded/abilities.js';
import { runsAt } from '../evidence/process-facts.js';
import { kurentoAbilities } from './abilities.js';
import type { KurentoCalls } from './kurento-calls.js';
import { type KurentoInfo, type KurentoOptions, serverManagerId } from './kurento-options.js';
import type { parseServerUrl } from './server-url.js';

const metadataSchema = z.object({ server: z.literal('loadline-embedded'), version: z.string().optional() });

interface FoundAt extends Pick<KurentoOptions, 'url' | 'pid' | 'process'> {
  readonly address: ReturnType<typeof parseServerUrl>;
}

/** What is there, where it runs, and what it can do; and the one folder of this host that it records into, if any. */
export async function findFacts(calls: KurentoCalls, info: KurentoInfo, place: FoundAt) {
  const { url, address, pid, process } = place;
  const metadata = await calls.invoke(serverManagerId, 'getMetadata', {});
  const embedded = metadataSchema.safeParse(jsonIn(metadata));
  const { kind, nature, abilities } = embedded.success ? ours : theirs;
  const version = embedded.success ? (embedded.data.version ?? '') : info.version;
  const runs = await runsAt({ ...address, program: 'kurento-media', process, pid });
  const lacksMixer = info.modules?.every(({ factories }) => !factories.includes('Composite')) ?? false;
  const facts: ServerFacts = {
    kind,
    nature,
    name: `${kind} ${version}`.trim(),
    version,
    url,
    ...runs,
    abilities,
    ...(lacksMixer ? { missing: cannotMix } : {}),
  };
  const recordIn = runs.sameHost && embedded.success ? await recordingFolder(calls) : undefined;
  return { facts, recordIn };
}

async function recordingFolder(calls: KurentoCalls): Promise<string | undefined> {
  return (await calls.invoke(serverManagerId, 'getRecordingFolder', {})) ?? undefined;
}

const theirs = { kind: 'kurento', nature: 'product', abilities: kurentoAbilities } as const;
const ours = { kind: 'embedded', nature: 'for-trying', abilities: embeddedAbilities } as const;

const cannotMix = (['mix', 'mix-sound'] as const).map(
  (shape): MissingAbility => ({
    shape,
    why: 'it does not list Composite among what it can create',
    todo: `for the embedded server: install GStreamer where it runs (${gstreamerInstallCommand}), then start it anew`,
  }),
);
