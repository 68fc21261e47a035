/** How something that was opened has ended: as was asked, before it was asked, or by nothing but a closed connection. */
export type Ending = 'asked' | 'before' | { readonly byClosing: string };

/**
 * Answers to a DELETE that say "not here" of the request and not of the session: such a server is left to notice that
 * the connection is closed.
 */
export const takesNoDelete: ReadonlySet<number> = new Set([400, 405, 501]);
