/** What a trial took of something that a host or a server has so much of. */
const usedKinds = ['server-cpu', 'host-cpu', 'server-memory', 'egress', 'delivered'] as const;
export type UsedKind = (typeof usedKinds)[number];

/** The unit of each: cores, megabytes, Mbit/s. */
export const usedUnits: Readonly<Record<UsedKind, string>> = {
  'server-cpu': 'cores',
  'host-cpu': 'cores',
  'server-memory': 'MB',
  egress: 'Mbit/s',
  delivered: 'Mbit/s',
};

/** What it is called in a sentence: "cores of the server". */
export const usedWords: Readonly<Record<UsedKind, string>> = {
  'server-cpu': 'cores of the server',
  'host-cpu': 'cores of the host',
  'server-memory': 'MB of memory',
  egress: 'Mbit/s sent',
  delivered: 'Mbit/s delivered',
};

export interface Used {
  readonly what: UsedKind;
  readonly amount: number;
  /** How much of it there is; absent: nobody said. */
  readonly available?: number;
}
