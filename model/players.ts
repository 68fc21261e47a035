import { z } from 'zod';
import { given } from './given.js';
import { type BrowserlessKind, isBrowserless } from './probe-kinds.js';
import { visitPlanSchema } from './visit.js';

/** Who plays the participants of a run; each kind of player has its own fields. */
export const playersSchema = z.discriminatedUnion('kind', [
  /** Browsers that encode and decode. */
  z.object({ kind: z.literal('full') }),
  /** Browsers that send and receive media encoded before, but for this share (0 to 1) that stays full. */
  z.object({ kind: z.literal('encoded'), fullShare: z.number().min(0).max(1) }),
  /** No browsers, but for so many or such a share of those who receive. */
  z.object({
    kind: z.literal('native'),
    sentinels: z.union([z.number().int().positive(), z.templateLiteral([z.number().positive(), '%'])]),
  }),
  /** They speak the server's signalling and send no media. */
  z.object({
    kind: z.literal('signalling'),
    /** Beside them so many browsers with media at least, in whole sessions that stay. */
    sentinels: z.number().int().nonnegative(),
    /** Which connections they join: all, or those alone on which they would send. */
    legs: z.enum(['all', 'sending']),
  }),
  /** Browsers that visit a web app. */
  visitPlanSchema.extend({ kind: z.literal('visiting') }),
]);

/** For what checks a kind without its fields. */
export const playerKinds = playersSchema.options.map(({ shape }) => shape.kind.value);

export type Players = z.infer<typeof playersSchema>;
export type PlayersOf<Kind extends Players['kind']> = Extract<Players, { readonly kind: Kind }>;

/** Who has no browser, but for sentinels among those who receive. */
export function judgedBySentinels(players: Players): players is PlayersOf<BrowserlessKind> {
  return isBrowserless(players.kind);
}

/** How many browsers stay beside participants who signal alone. */
export function sentinelsBeside(players: Players): number {
  return players.kind === 'signalling' ? players.sentinels : 0;
}

/** False where participants signal alone and no browser is beside them. */
export function hasBrowsers(players: Players): boolean {
  return players.kind !== 'signalling' || players.sentinels > 0;
}

/** The share (0 to 1) of the browsers that encode and decode. */
export function fullShareOf(players: Players): number {
  return players.kind === 'encoded' ? players.fullShare : 1;
}

/** Without what looking at one room saw beside what must arrive: it changes from run to run, and none judges by it. */
export function askedOfPlayers(players: Players): Players {
  if (players.kind !== 'visiting') return players;
  const { stillChanges: _, expect, ...rest } = players;
  return { ...rest, ...given({ expect: expect?.map(({ connections: __, ...one }) => one) }) };
}
