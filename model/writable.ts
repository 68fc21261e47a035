/** The same, to be written: of what is filled in piece by piece, or again and again, by whoever made it. */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
