import { ClockEstimate } from '../clock-estimate.js';
import { askClock } from './ask-clock.js';
import type { Bus } from './bus.js';
import { findServices } from './offering.js';
import { hostService, isToken, offerSubject } from './subjects.js';
import type { FoundHost } from './unfitness.js';
import { type HostOffer, offerSchema } from './wire.js';

const discoverMs = 750;
const answerMs = 2000;
const exchanges = 5;
const nobody = 'nobody';

/** Every host that answers on the bus, with what it says of itself now, in the order of their names. */
export async function findHosts(bus: Bus): Promise<readonly FoundHost[]> {
  const services = await findServices(bus, hostService, discoverMs);
  const instances = services.map(({ id }) => id).filter(isToken);
  const found = await Promise.all([...new Set(instances)].map((instance) => look(bus, instance)));
  return found
    .flat()
    .sort((a, b) => a.offer.name.localeCompare(b.offer.name) || a.offer.instance.localeCompare(b.offer.instance));
}

async function look(bus: Bus, instance: string): Promise<readonly FoundHost[]> {
  const offer = await askOffer(bus, instance);
  if (!offer) return [];
  const clock = await clockOf(bus, instance);
  return [{ offer, ...(clock ? { clock } : {}) }];
}

async function askOffer(bus: Bus, instance: string): Promise<HostOffer | undefined> {
  try {
    const read = offerSchema.safeParse(JSON.parse(await bus.request(offerSubject(instance), '', answerMs)));
    return read.success && read.data.instance === instance ? read.data : undefined;
  } catch {
    // It went away meanwhile, or is no host of ours.
    return undefined;
  }
}

async function clockOf(bus: Bus, instance: string) {
  const estimate = new ClockEstimate();
  try {
    for (let nth = 0; nth < exchanges; nth += 1) {
      estimate.add((await askClock(bus, instance, nobody, answerMs)).exchange);
    }
  } catch {
    // What it answered so far is what is known.
  }
  return estimate.clock(Date.now());
}
