import type { Command } from 'commander';

/** What lets us in to a bus, by the names of files: their paths are all that a run knows of them. */
export interface BusFlags {
  readonly busCreds?: string;
  readonly busCa?: string;
  readonly busCert?: string;
}

export const busFlagNames = ['busCreds', 'busCa', 'busCert'] as const satisfies readonly (keyof BusFlags)[];

/** For whatever speaks to a bus. */
export function addBusFlags(command: Command): Command {
  return command
    .option('--bus-creds <file>', 'credentials for the bus, or the seed of an nkey (also NATS_CREDS: their file)')
    .option('--bus-ca <file>', 'who vouches for the bus, in PEM (also LOADLINE_BUS_CA)')
    .option('--bus-cert <file>', 'our certificate and its key for the bus, in PEM (also LOADLINE_BUS_CERT)');
}

/** Those that were given. */
export function busFlagsOf(flags: BusFlags): BusFlags {
  return Object.fromEntries(busFlagNames.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));
}

/** The first that was given, as it is written. */
export function busFlagGiven(flags: BusFlags): string | undefined {
  const given = busFlagNames.find((name) => flags[name] !== undefined);
  return given?.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`).replace(/^/, '--');
}
