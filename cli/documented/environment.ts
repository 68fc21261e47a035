import type { EnvironmentVariable } from '../../model/environment.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import type { SinkKind } from '../../store/sink-kind.js';

/** What the command line and set-up read, whatever the server is. */
const general: readonly EnvironmentVariable[] = [
  { name: 'LOADLINE_NO_SETUP', about: '1: nothing is installed or built; what is missing is said' },
  { name: 'LOADLINE_CHROMIUM', about: 'the Chromium to use, where --chromium names none' },
  { name: 'LOADLINE_TURN_SECRET', about: 'the secret that the server of --turn-server shares (REST API for TURN)' },
  { name: 'LOADLINE_TURN_USER', about: 'an account of the server of --turn-server, instead of the secret' },
  { name: 'LOADLINE_TURN_PASSWORD', about: 'the password of that account' },
  { name: 'LOADLINE_EVIDENCE_TOKEN', about: 'a bearer token for the pages of --evidence' },
  { name: 'LOADLINE_BUS_TOKEN', about: 'a token that lets in to the bus of the probe hosts' },
  { name: 'LOADLINE_BUS_USER', about: 'an account of that bus, instead of a token' },
  { name: 'LOADLINE_BUS_PASSWORD', about: 'the password of that account' },
  { name: 'LOADLINE_BUS_CA', about: 'who vouches for that bus, in PEM, where --bus-ca names nobody' },
  { name: 'LOADLINE_BUS_CERT', about: 'our certificate and its key for that bus, where --bus-cert names none' },
  { name: 'LOADLINE_ALLOW', about: 'where the probes of loadline host may send media to, where --allow does not say' },
  {
    name: 'LOADLINE_SMTP_PASSWORD',
    about: 'the password of the mail account that alerts of the monitor are sent from',
  },
  { name: 'NATS_CREDS', about: 'a credentials file for that bus, where --bus-creds names none' },
  { name: 'NO_COLOR', about: 'anything: no colour, and no line that is redrawn' },
  { name: 'XDG_CACHE_HOME', about: 'where the folder of clips and downloads is made (default: ~/.cache)' },
  { name: 'XDG_STATE_HOME', about: 'where the folder of calibrations is made (default: ~/.local/state)' },
];

/** All of them, by where they are read: first what concerns every run. */
export function environmentVariables(
  kinds: readonly Pick<ServerKind, 'environment'>[],
  sinks: readonly Pick<SinkKind, 'environment'>[],
): readonly EnvironmentVariable[] {
  return [...general, ...[...kinds, ...sinks].flatMap(({ environment = [] }) => environment)];
}
