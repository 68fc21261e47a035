import { type AskedLayer, askedLayer, type SentLayer, sentLayers } from '../model/layer.js';
import type { Media } from '../model/plan.js';
import { eachSession, type Leg, type LegSource, type MediaSource, type Scenario } from '../model/scenario.js';

/** The same scenario with each sent video in layers, of which every receiver asks for one. Absent: as it is. */
export function withLayers(scenario: Scenario, media: Media | undefined): Scenario {
  if (media?.simulcast === undefined) return scenario;
  const { asked } = media.simulcast;
  const [layers, layer] = [sentLayers(media), askedLayer(media, asked)];
  const layered = eachSession(scenario, (session) => ({
    ...session,
    participants: session.participants.map((one) => ({
      ...one,
      legs: one.legs.map((leg) => asking(sending(leg, layers), layer)),
    })),
  }));
  return { ...layered, summary: `${scenario.summary}; video in three layers, of which receivers ask for the ${asked}` };
}

const sending = (leg: Leg, layers: readonly SentLayer[]): Leg =>
  leg.sends.includes('video') ? { ...leg, layers } : leg;

function asking(leg: Leg, layer: AskedLayer): Leg {
  const { from } = leg;
  if (from === undefined || !leg.receives.includes('video')) return leg;
  const asked = <Source extends MediaSource | LegSource>(source: Source): Source =>
    'mix' in source ? source : { ...source, layer };
  return { ...leg, from: 'map' in from ? from.map(asked) : asked(from) };
}
