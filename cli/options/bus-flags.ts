import { given } from '../../model/given.js';
import type { Flags, WordsOf } from './flag.js';

/** What lets us in to a bus, by the names of files: their paths are all that a run knows of them. */
export const busFlags = {
  busCreds: {
    takes: 'file',
    about: 'credentials for the bus, or the seed of an nkey (also NATS_CREDS: their file)',
    onResume: 'may',
  },
  busCa: { takes: 'file', about: 'who vouches for the bus, in PEM (also LOADLINE_BUS_CA)', onResume: 'may' },
  busCert: {
    takes: 'file',
    about: 'our certificate and its key for the bus, in PEM (also LOADLINE_BUS_CERT)',
    onResume: 'may',
  },
} as const satisfies Flags;

export type BusFlags = WordsOf<typeof busFlags>;

/** Those that were given. */
export function busFlagsOf(flags: { readonly [Name in keyof BusFlags]: BusFlags[Name] | undefined }): BusFlags {
  const { busCreds, busCa, busCert } = flags;
  return given({ busCreds, busCa, busCert });
}
