import type { ServerEvent } from '../model/server-event.js';
import type { FleetListener } from '../probes/fleet.js';
import type { MediaServer } from '../server-setup/media-server.js';
import type { Parts } from '../trial/parts.js';

/** What the conductor asks of its parts, in order, and ways to go wrong at each. */
export interface LoggedParts {
  readonly parts: Parts;
  readonly calls: string[];
  /** Makes the media server say something. */
  say(event: ServerEvent): void;
  /** The listener of the fleet that runs now. */
  fleetListener(): FleetListener | undefined;
}

/** Called before each call is passed on; may throw, abort, or wait. */
export type Interference = (call: string) => void | Promise<void>;

/** Wraps parts so that each call is written down and may be interfered with. */
export function logged(parts: Parts, interfere: Interference = () => undefined): LoggedParts {
  const calls: string[] = [];
  const listeners: ((event: ServerEvent) => void)[] = [];
  let fleetListener: FleetListener | undefined;
  const pass = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
    calls.push(call);
    await interfere(call);
    return work();
  };
  const { server, startFleet, sinks } = parts;
  const loggedServer: MediaServer = {
    start: (signal) => pass('server.start', () => server.start(signal)),
    openSession: async (session, signal) => {
      const opened = await pass(`open ${session.id}`, () => server.openSession(session, signal));
      return { join: opened.join, close: () => pass(`close ${session.id}`, () => opened.close()) };
    },
    reset: (signal, how) => pass('reset', () => server.reset(signal, how)),
    stop: () => pass('server.stop', () => server.stop()),
    onEvent: (listener) => {
      listeners.push(listener);
      server.onEvent(listener);
    },
    resources: async () => server.resources?.() ?? { atMs: 0 },
  };
  const loggedParts: Parts = {
    ...parts,
    server: loggedServer,
    startFleet: (options, listener) => {
      fleetListener = listener;
      const fleet = startFleet(options, listener);
      return {
        join: (participants, join) => pass('join', () => fleet.join(participants, join)),
        records: () => fleet.records(),
        hosts: () => fleet.hosts(),
        readHosts: () => fleet.readHosts(),
        leave: () => pass('leave', () => fleet.leave()),
        close: () => pass('browsers end', () => fleet.close()),
      };
    },
    sinks: sinks.map((sink) => ({
      ...sink,
      writeTrial: (record, evidence) => pass(`store ${record.verdict.kind}`, () => sink.writeTrial(record, evidence)),
      close: () => pass('sink.close', () => sink.close()),
    })),
  };
  const say = (event: ServerEvent) => {
    for (const listener of listeners) listener(event);
  };
  return { parts: loggedParts, calls, say, fleetListener: () => fleetListener };
}
