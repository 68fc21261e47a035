import type { Ask, AskedTurn } from '../model/layer.js';
import { turnsMs } from '../model/layer.js';
import { seededRandom } from '../model/seeded-random.js';
import type { Shown } from '../model/simulcast.js';
import { hashOfText, spread } from '../model/text-hash.js';

/** How long somebody speaks before another does, and how long a member looks at the same part of the others. Chosen. */
const speaksMs = { from: 6_000, to: 15_000 } as const;
const looksMs = { from: 10_000, to: 30_000 } as const;

/** Whether what a member shows of so many others changes. */
export const changes = ({ visible, speaker }: Shown, others: number): boolean =>
  speaker !== undefined || (visible !== undefined && visible < others);

/**
 * What a member shows of each of the others as time goes: a pure function of the session, which is the seed, the member
 * and the time. It shows so many of them from where it has scrolled to, and who speaks in the last place where it is
 * not among them. While it speaks itself, who spoke before counts as speaking.
 */
export function shownBy(
  member: string,
  session: { readonly id: string; readonly senders: readonly string[] },
  layout: Shown,
): ReadonlyMap<string, readonly AskedTurn[]> {
  const others = session.senders.filter((id) => id !== member);
  const speakers = pieces(`${session.id} speaks`, speaksMs, session.senders.length);
  const places = pieces(`${member} looks`, looksMs, others.length);
  const times = [...new Set([...speakers, ...places].map(({ fromMs }) => fromMs))].sort((one, other) => one - other);
  const turns = new Map(others.map((id) => [id, [] as AskedTurn[]]));
  for (const fromMs of times) {
    const heard = speakers
      .filter((one) => one.fromMs <= fromMs)
      .map(({ of }) => session.senders[of])
      .findLast((id) => id !== member);
    const place = places.findLast((one) => one.fromMs <= fromMs)?.of ?? 0;
    const shown = shownAt([...others.slice(place), ...others.slice(0, place)], heard, layout);
    for (const [id, own] of turns) {
      const ask = shown.get(id) ?? 'none';
      if (own.at(-1)?.[1] !== ask) own.push([fromMs, ask]);
    }
  }
  return turns;
}

function shownAt(
  others: readonly string[],
  speaker: string | undefined,
  { asked, visible = others.length, speaker: large = asked }: Shown,
): ReadonlyMap<string, Ask> {
  const shown = others.slice(0, visible);
  if (speaker !== undefined && !shown.includes(speaker)) shown.splice(-1, 1, speaker);
  return new Map(shown.map((id) => [id, id === speaker ? large : asked]));
}

interface Piece {
  readonly fromMs: number;
  /** Never that of the piece before. */
  readonly of: number;
}

/** Pieces of the time until all begins anew, each of one of so many. */
function pieces(seed: string, { from, to }: typeof speaksMs | typeof looksMs, count: number): readonly Piece[] {
  const random = seededRandom(spread(hashOfText(seed)));
  const found: Piece[] = [{ fromMs: 0, of: Math.floor(random() * count) }];
  for (let fromMs = lengthOf(random()); fromMs < turnsMs; fromMs += lengthOf(random())) {
    const before = found.at(-1)?.of ?? 0;
    found.push({ fromMs, of: count < 2 ? 0 : (before + 1 + Math.floor(random() * (count - 1))) % count });
  }
  return found;

  function lengthOf(share: number): number {
    return Math.round(from + share * (to - from));
  }
}
