/** The subjects of the bus. `docs/hosts.md` says who may use which; a token is one word of a subject. */

/** By which hosts are discovered. */
export const hostService = 'loadline-host';

const tokenPattern = /^[A-Za-z0-9_-]{1,64}$/;
export const isToken = (text: string): boolean => tokenPattern.test(text);

/** Of a host: what it is now, its clock, and what it is told to do. */
export const offerSubject = (host: string) => `loadline.host.${host}.offer`;
export const clockSubject = (host: string) => `loadline.host.${host}.clock`;
export const orderSubject = (host: string) => `loadline.host.${host}.order`;

/** Of a conductor: what probes ask of the media server. */
export const signalSubject = (lease: string) => `loadline.conductor.${lease}.signal`;

/** What hosts tell of a trial, in a stream of the conductor's. */
export const toldStream = (lease: string) => `LOADLINE_${lease}`;
export const toldSubject = (lease: string, host = '*') => `loadline.told.${lease}.${host}`;
