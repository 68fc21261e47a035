import { type HostsPlan, spreads } from '../../model/plan.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { busFlags } from './bus-flags.js';
import { type Flags, goingWith, type ValuesOf } from './flag.js';
import { loginInAddress, usageError, wrongValue } from './usage-error.js';
import { readCount } from './values.js';
import { word } from './written.js';

/** More agents than this on one machine tell nothing that fewer do not. */
const localMost = 16;
const busSchemes = /^(nats|tls):$/;

export const hostFlags = {
  hosts: {
    takes: 'where',
    about: 'play the probes on the hosts of a bus: nats://HOST:4222; or on so many here: local:3',
    value: {
      read: (text: string, flag: string) => {
        if (text === 'local') throw wrongValue(flag, text, 'must say how many hosts to play here', 'local:3');
        return localCount(text) === undefined ? busAddress(text, flag) : text;
      },
    },
    onResume: 'again',
  },
  ...goingWith(
    '--hosts',
    {
      spread: { takes: 'how', about: `who goes where: ${spreads.join(', ')} (default: even)`, value: word(spreads) },
      spokenBy: {
        takes: 'who',
        about: 'who speaks to the media server: conductor, or the hosts themselves (whip) (default: conductor)',
        value: word(['conductor', 'hosts']),
      },
    },
    'local:3',
  ),
  ...goingWith('--hosts', busFlags, 'nats://10.0.0.5:4222'),
} as const satisfies Flags;

/** Undefined when this host plays the probes. Throws E_USAGE. */
export function hostsOf(
  asked: Pick<ValuesOf<typeof hostFlags>, 'hosts' | 'spread' | 'spokenBy'>,
  kind?: Pick<ServerKind, 'inWords' | 'speaker'>,
): HostsPlan | undefined {
  const { hosts: from, spread = 'even', spokenBy = 'conductor' } = asked;
  if (from === undefined) return undefined;
  if (spokenBy === 'conductor') return { from, spread };
  if (kind?.speaker) return { from, spread, spokenBy };
  const what = `With ${kind?.inWords ?? 'this server'}, the conductor alone speaks to the media server.`;
  const why = 'hosts can do so where each leg is one request with its answer: on a server of WHIP';
  const todo = [
    { leave: ['--spoken-by'] },
    'name a server of WHIP beside --hosts: --server whip --whip URL --whep URL',
  ];
  throw usageError(what, ['--spoken-by', '--server'], todo, why);
}

/** Of `local:3`, three; `undefined` of a bus. Throws E_USAGE. */
export function localCount(hosts: string): number | undefined {
  const [, count] = /^local:(.*)$/.exec(hosts) ?? [];
  return count === undefined ? undefined : readCount(count, '--hosts local:', { to: localMost });
}

/** On machines that the bus knows, and not on this one. */
export function playsElsewhere({ hosts }: { readonly hosts?: Pick<HostsPlan, 'from'> | undefined }): boolean {
  return hosts !== undefined && localCount(hosts.from) === undefined;
}

/** One address, or several with commas. Stored with the run and shown, so without a login. Throws E_USAGE. */
export function busAddress(text: string, flag: string): string {
  for (const one of text.split(',')) {
    const url = URL.canParse(one.trim()) ? new URL(one.trim()) : undefined;
    if (!url || !busSchemes.test(url.protocol) || url.hostname === '') {
      throw wrongValue(flag, text, 'must be the address of a bus', 'nats://10.0.0.5:4222');
    }
    if (url.username !== '' || url.password !== '') {
      throw loginInAddress(flag, 'name a credentials file with --bus-creds, or set LOADLINE_BUS_TOKEN to a token');
    }
  }
  return text;
}
