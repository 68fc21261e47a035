/** The subjects of the bus. `docs/lab/hosts.md` says who may use which; a token is one word of a subject. */

/** By which hosts are discovered. */
export const hostService = 'loadline-host';

const tokenPattern = /^[A-Za-z0-9_-]{1,64}$/;
export const isToken = (text: string): boolean => tokenPattern.test(text);

/** A host as the bus knows it: rights are given to its name, and each start of it is another instance. */
export interface HostAddress {
  readonly name: string;
  readonly instance: string;
}

/** A name may have dots, which would part it into several words. */
const nameToken = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_');

const wordsOf = ({ name, instance }: HostAddress) => `${nameToken(name)}.${instance}`;

/** Of a host: what it is now, its clock, and what it is told to do. */
export const offerSubject = (host: HostAddress) => `loadline.host.${wordsOf(host)}.offer`;
export const clockSubject = (host: HostAddress) => `loadline.host.${wordsOf(host)}.clock`;
export const orderSubject = (host: HostAddress) => `loadline.host.${wordsOf(host)}.order`;

/** Of a conductor: what the probes of one host ask of the media server. */
export const signalSubject = (lease: string, host: HostAddress) =>
  `loadline.conductor.${lease}.${wordsOf(host)}.signal`;

/** What hosts tell of a trial, in a stream of the conductor's. */
export const toldStream = (lease: string) => `LOADLINE_${lease}`;
export const toldSubject = (lease: string, host: HostAddress) => `loadline.told.${lease}.${wordsOf(host)}`;
export const toldSubjects = (lease: string) => `loadline.told.${lease}.*.*`;

/** Where answers come to, so that nobody needs the right to listen to those of others. */
export const conductorInbox = '_INBOX.loadline-conductor';
export const hostInbox = (name: string) => `_INBOX.loadline-host.${nameToken(name)}`;
