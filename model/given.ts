type Unsure<T> = { [Name in keyof T]-?: undefined extends T[Name] ? Name : never }[keyof T];

/** What may be undefined of T may be absent instead. */
type Given<T> = { readonly [Name in Exclude<keyof T, Unsure<T>>]: T[Name] } & {
  readonly [Name in Unsure<T>]?: Exclude<T[Name], undefined>;
};

/** The same without what is undefined. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
