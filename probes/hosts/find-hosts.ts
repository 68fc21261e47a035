import { LoadlineError } from '../../model/errors.js';
import { ClockEstimate } from '../clock-estimate.js';
import { askClock } from './ask-clock.js';
import { type Bus, BusSilence } from './bus.js';
import { findServices } from './offering.js';
import { type HostAddress, hostService, isToken, offerSubject } from './subjects.js';
import type { FoundHost } from './unfitness.js';
import { type HostOffer, offerSchema } from './wire.js';

const discoverMs = 750;
const answerMs = 2000;
const exchanges = 5;
const nobody = 'nobody';

/** Every host that answers on the bus, with what it says of itself now, in the order of their names. Throws E_BUS. */
export async function findHosts(bus: Bus): Promise<readonly FoundHost[]> {
  const services = await findServices(bus, hostService, discoverMs).catch(notAsked);
  const addresses = new Map(services.map(({ id, facts }) => [id, { instance: id, name: facts.name ?? '' }]));
  const found = await Promise.all(
    [...addresses.values()].flatMap((host) => (isToken(host.instance) && host.name !== '' ? look(bus, host) : [])),
  );
  return found
    .flat()
    .sort((a, b) => a.offer.name.localeCompare(b.offer.name) || a.offer.instance.localeCompare(b.offer.instance));
}

function notAsked(cause: unknown): never {
  if (!(cause instanceof BusSilence)) throw cause;
  throw new LoadlineError('E_BUS', 'The bus does not let us ask for probe hosts.', {
    why: cause.message,
    todo: 'see that it is there, and that the login is one of a conductor (docs/reference/hosts.md)',
    cause,
  });
}

async function look(bus: Bus, host: HostAddress): Promise<readonly FoundHost[]> {
  const offer = await askOffer(bus, host);
  if (!offer) return [];
  const clock = await clockOf(bus, host);
  return [{ offer, ...(clock ? { clock } : {}) }];
}

async function askOffer(bus: Bus, host: HostAddress): Promise<HostOffer | undefined> {
  try {
    const read = offerSchema.safeParse(JSON.parse(await bus.request(offerSubject(host), '', answerMs)));
    const isIt = read.success && read.data.instance === host.instance && read.data.name === host.name;
    return isIt ? read.data : undefined;
  } catch {
    // It went away meanwhile, or is no host of ours.
    return undefined;
  }
}

async function clockOf(bus: Bus, host: HostAddress) {
  const estimate = new ClockEstimate();
  try {
    for (let nth = 0; nth < exchanges; nth += 1) {
      estimate.add((await askClock(bus, host, nobody, answerMs)).exchange);
    }
  } catch {
    // What it answered so far is what is known.
  }
  return estimate.clock(Date.now());
}
