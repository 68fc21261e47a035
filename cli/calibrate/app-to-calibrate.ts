import { LoadlineError } from '../../model/errors.js';
import { type Plan, planSchema } from '../../model/plan.js';
import type { Players } from '../../model/players.js';
import type { Scenario } from '../../model/scenario.js';
import { notWhenVisiting } from '../../model/together.js';
import { visit as visiting } from '../../scenarios/visit.js';
import { checkedApp } from '../../server-setup/web-app/app-address.js';
import { webAppKind } from '../../server-setup/web-app/kind.js';
import { readCamera } from '../options/camera-flag.js';
import { readSessionFlags } from '../options/session-flags.js';
import { readTogether } from '../options/together.js';
import { refusalError } from '../options/usage-error.js';
import { readVisitFlags, type VisitFlags, visitingLayout } from '../options/visit-flags.js';

export interface AppFlags extends Pick<VisitFlags, 'join' | 'block' | 'painted' | 'camera' | 'roles'> {
  readonly url?: string;
  readonly roomSize?: string;
  readonly hosts?: string;
}

const { name } = visiting(4);

/** Which app's pages are to be measured; undefined where probes of ours are. Throws E_USAGE, E_SERVER_URL. */
export function readAppFlags(flags: AppFlags): { plan: Plan; scenario: Scenario } | undefined {
  const { url, roomSize, hosts, join, block, painted, camera, roles } = flags;
  if (url === undefined) {
    const alone = Object.entries({ join, block, painted, camera, roles, 'room-size': roomSize }).find(
      ([, value]) => value !== undefined,
    );
    if (alone) throw noApp(`--${alone[0]}`);
    return undefined;
  }
  const read = readTogether({
    url: () => checkedApp(url),
    camera: () => readCamera(camera, true),
    hosts: () => {
      if (hosts !== undefined) throw refusalError(notWhenVisiting(['--hosts']));
    },
    session: () => {
      const players: Players = { kind: 'visiting', ...readVisitFlags(flags) };
      return { players, ...readSessionFlags(name, flags, { records: false, players }) };
    },
  });
  const { scenario, plan, players } = read.session;
  const server = { kind: webAppKind.name, url: read.url };
  return { scenario, plan: planSchema.parse({ ...plan, players, server, media: read.camera, ...visitingLayout }) };
}

function noApp(flag: string): LoadlineError {
  return new LoadlineError('E_USAGE', `${flag} says how a web app is visited, and none is.`, {
    where: flag,
    todo: "leave it out, or name the app: loadline calibrate --url 'https://meet.example/{session}'",
  });
}
