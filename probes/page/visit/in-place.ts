type Given = (...args: readonly unknown[]) => unknown;
type Instead = (target: Given, of: unknown, args: readonly unknown[]) => unknown;

/**
 * Has something else done where a function of the browser is called: a method, or `get` or `set` of a property. Its
 * place, attributes and text stay. One that the browser does not have is left out.
 */
export function inPlace(owner: object, name: string, instead: Instead): void {
  const [property = name, part] = name.split(' ').reverse();
  const found = Object.getOwnPropertyDescriptor(owner, property);
  const given: unknown = found?.[part === 'get' || part === 'set' ? part : 'value'];
  if (!found || typeof given !== 'function') return;
  const made = new Proxy(given as Given, { apply: instead });
  Object.defineProperty(owner, property, { ...found, [part ?? 'value']: made });
  keepText(new Map<unknown, unknown>([[made, given]]));
}

/** Keeps place and attributes of the property. */
export function replace(owner: object, name: string, from: unknown, to: unknown): void {
  const found = Object.getOwnPropertyDescriptor(owner, name);
  if (found?.value === from) Object.defineProperty(owner, name, { ...found, value: to });
}

/** The text of a Proxy lacks the name of the function: it is that of the original. */
export function keepText(shown: Map<unknown, unknown>): void {
  const nativeText = Function.prototype.toString;
  const quiet: typeof nativeText = new Proxy(nativeText, {
    apply: (target, of, args) => Reflect.apply(target, shown.get(of) ?? of, args) as string,
  });
  shown.set(quiet, nativeText);
  replace(Function.prototype, 'toString', nativeText, quiet);
}
