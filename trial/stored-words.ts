import { shortText } from '../model/plain-text.js';
import type { Plan } from '../model/plan.js';
import type { ServerFacts } from '../model/run.js';
import { redactedCopy, withoutSecrets } from '../model/secrets.js';

const factCharacters = 200;

/** What a server says of itself is shown and stored, and its address may hold a login. */
export function shownFacts(facts: ServerFacts): ServerFacts {
  const { name, version, url } = facts;
  return {
    ...facts,
    name: shortText(name, factCharacters),
    version: shortText(version, factCharacters),
    url: withoutSecrets(url),
  };
}

/** A restart command and the address of a server may hold a login, and a run is shown to others. */
export function storedPlan(plan: Plan): Plan {
  return { ...plan, server: redactedCopy(plan.server) };
}
