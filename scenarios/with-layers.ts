import { type AskedLayer, type AskedTurn, askedLayer, layerNames, type SentLayer, sentLayers } from '../model/layer.js';
import type { Media } from '../model/plan.js';
import { eachSession, type Leg, type Scenario, type Session } from '../model/scenario.js';
import type { Shown } from '../model/simulcast.js';
import { withSources } from './each-leg.js';
import { changes, shownBy } from './shown.js';

/** The scenario with each sent video in layers, of which every receiver asks for what it shows. Absent: as it is. */
export function withLayers(scenario: Scenario, media: Media | undefined): Scenario {
  const { simulcast, svc } = media ?? {};
  const asked = simulcast ?? svc;
  if (media === undefined || asked === undefined) return scenario;
  const layered = eachSession(scenario, (session) => inLayers(session, media, asked));
  const layers = svc ? `the layers of ${svc.mode}` : 'three layers';
  const shown = inWords(asked, mostOthers(scenario));
  return { ...layered, summary: `${scenario.summary}; video in ${layers}, of which ${shown}` };
}

function inLayers(session: Session, media: Media, asked: Shown): Session {
  const layers = sentLayers(media);
  const all = askedLayer(media, asked.asked);
  const senders = session.participants.filter(sendsPictures).map(({ id }) => id);
  const participants = session.participants.map((one) => {
    const others = senders.filter((id) => id !== one.id);
    const shown = changes(asked, others.length) ? shownBy(one.id, { id: session.id, senders }, asked) : undefined;
    const ofSource = (id: string): AskedLayer => {
      const turns = shown?.get(id);
      return turns ? { ...askedLayer(media, largestOf(turns)), turns } : all;
    };
    return { ...one, legs: one.legs.map((leg) => asking(sending(leg, layers), ofSource)) };
  });
  return { ...session, participants };
}

const sendsPictures = ({ legs }: Session['participants'][number]): boolean =>
  legs.some(({ sends, screen }) => sends.includes('video') && !screen);

/** Of one that is never shown, the lowest. */
const largestOf = (turns: readonly AskedTurn[]) =>
  layerNames.findLast((name) => turns.some(([, ask]) => ask === name)) ?? 'low';

const sending = (leg: Leg, layers: readonly SentLayer[]): Leg =>
  layers.length > 0 && leg.sends.includes('video') && !leg.screen ? { ...leg, layers } : leg;

function asking(leg: Leg, ofSource: (participant: string) => AskedLayer): Leg {
  if (!leg.receives.includes('video')) return leg;
  return withSources(leg, ({ participant, screen }) => (screen ? {} : { layer: ofSource(participant) }));
}

/** Of how many others a participant may be shown pictures. */
function mostOthers({ sessions, baselineSize }: Scenario): number {
  const others = sessions(baselineSize).flatMap(({ participants }) =>
    participants.map((one) => participants.filter((other) => other !== one && sendsPictures(other)).length),
  );
  return Math.max(0, ...others);
}

function inWords({ asked, visible, speaker }: Shown, others: number): string {
  if (visible === undefined && speaker === undefined) return `receivers ask for the ${asked}`;
  const isAll = visible === undefined || visible >= others;
  const shown = isAll ? 'receivers show all others' : `receivers show up to ${visible} of the others`;
  const large = speaker === undefined ? '' : `, who speaks in the ${speaker}`;
  return `${shown} in the ${asked}${large}`;
}
