import { planSchema } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import { visit as visiting } from '../../scenarios/visit.js';
import { checkedApp } from '../../server-setup/web-app/app-address.js';
import { webAppKind } from '../../server-setup/web-app/kind.js';
import { type Flags, goingWith, type ValuesOf } from '../options/flag.js';
import { sessionFlags, sessionOf } from '../options/session-flags.js';
import { usageError } from '../options/usage-error.js';
import { visitFlags, visitingLayout, visitOf } from '../options/visit-flags.js';
import { word } from '../options/written.js';

const { join, library, roles, block, painted, camera } = visitFlags;

export const appFlags = {
  url: {
    takes: 'url',
    about: 'measure pages of this web app: https://meet.example/{session}',
    value: { read: checkedApp },
  },
  ...goingWith(
    '--url',
    {
      join: { ...join, about: 'script that joins', because: 'it says how a web app is visited' },
      library: {
        ...library,
        about: "module that joins by the app's client library",
        because: 'it says how a web app is joined',
      },
      roles,
      roomSize: { ...sessionFlags.roomSize, about: 'members of a room (default: 4)' },
      block: { ...block, about: 'addresses that are not loaded' },
      painted: { ...painted, about: 'those that have joined go on being painted' },
      media: {
        takes: 'kind',
        about: 'full, or encoded: pictures are not decoded, and not encoded once they are recorded',
        value: word(['full', 'encoded']),
      },
      camera,
    },
    'https://meet.example/{session}',
  ),
} as const satisfies Flags;

const { name } = visiting(4);

/** Undefined where probes of ours are measured. Throws E_USAGE. */
export function appOf(asked: ValuesOf<typeof appFlags>, isElsewhere: boolean) {
  const { url, roomSize, camera } = asked;
  if (url === undefined) return undefined;
  if (isElsewhere) throw measuredThere();
  const players: Players = { kind: 'visiting', ...visitOf(asked) };
  const flags = { roomSize, record: undefined, keepRecordings: undefined };
  const { scenario, plan } = sessionOf(name, flags, { records: false, players });
  const server = { kind: webAppKind.name, url };
  return { scenario, plan: planSchema.parse({ ...plan, players, server, media: camera ?? {}, ...visitingLayout }) };
}

function measuredThere() {
  const why = 'each host measures itself beside a media server of its own, and not beside the app';
  return usageError('--hosts does not go with --url.', ['--hosts', '--url'], 'leave one of the two out', why);
}
