import type { LegSource, MediaKind, Participant, Scenario, Session } from '../model/scenario.js';
import type { VisitExpectation, VisitPlan, VisitRole } from '../model/visit.js';
import { memberIds } from './group.js';

const usualRole = 'member';
const kinds: readonly MediaKind[] = ['audio', 'video'];
/** The app does not say whose stream is whose. */
const others = 'others';

/** Rooms of a web app: each participant visits its page, and what must arrive is what one room alone showed. */
export function visit(roomSize: number, plan: VisitPlan = {}): Scenario {
  const roles = plan.roles ?? [{ role: usualRole, count: roomSize }];
  const members = roles.reduce((sum, { count }) => sum + count, 0);
  const rooms = (count: number): readonly Session[] =>
    Array.from({ length: count }, (_, index) => room(String(index + 1), { ...plan, roles }, members));
  const unit = { one: 'room', many: 'rooms' };
  return {
    name: 'visit',
    unit,
    ofMembers: (size) => visit(size, plan),
    ofVisit: (asked) => visit(roomSize, asked),
    summary: `rooms of ${members} in your own web app (--url): each opens its page in a browser and joins by your script`,
    baselineSize: 1,
    sessions: rooms,
    coming: { unit, who: 'sessions', sessions: rooms },
  };
}

function room(id: string, plan: VisitPlan & { readonly roles: readonly VisitRole[] }, members: number): Session {
  const roleOf = plan.roles.flatMap(({ role, count }) => Array.from({ length: count }, () => role));
  const participants = memberIds(id, members).map((member, index): Participant => {
    const role = roleOf[index] ?? usualRole;
    const expected = plan.expect?.find((one) => one.role === role) ?? unseen(role, members);
    const receives = kinds.filter((kind) => expected[kind] > 0);
    const from = kinds.flatMap((kind) => Array.from({ length: expected[kind] }, (_, nth) => stream(kind, nth)));
    const leg = { id: member, sends: expected.sends, receives, ...(from.length > 0 ? { from } : {}) };
    return { id: member, session: id, role, page: true, legs: [leg] };
  });
  return { id, shape: 'own-page', participants };
}

const stream = (kind: MediaKind, nth: number): LegSource => ({
  participant: others,
  kinds: [kind],
  stream: `${kind} ${nth + 1}`,
});

/** Until the app has been looked at: as in most, each sees and hears all others. No trial is run with it. */
function unseen(role: string, members: number): VisitExpectation {
  return { role, sends: kinds, audio: members - 1, video: members - 1 };
}
