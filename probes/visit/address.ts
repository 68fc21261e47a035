/** Who visits, for the app's address and for the join script. */
export interface Visitor {
  /** The name of the session: "loadline-4f2c-1". No two trials have the same. */
  readonly session: string;
  /** "1a". */
  readonly participant: string;
  readonly role: string;
  /** From 0, within the session. */
  readonly index: number;
}

const addressPlaces = ['session', 'participant', 'role', 'index'] as const;

/** The app's address with what stands in its places, as part of a path or a query. */
export function addressOf(template: string, visitor: Visitor): string {
  return addressPlaces.reduce(
    (text, place) => text.replaceAll(`{${place}}`, encodeURIComponent(`${visitor[place]}`)),
    template,
  );
}
