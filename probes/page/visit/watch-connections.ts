/** The property names under which Chromium has the constructor. */
const names = ['RTCPeerConnection', 'webkitRTCPeerConnection'] as const;

/**
 * Calls back for each RTCPeerConnection that the app makes, also by a subclass of it. The app sees what it would see
 * without: the same prototype, `constructor`, `instanceof`, own keys, their order and attributes, errors, and text of
 * the function.
 */
export function watchConnections(onMade: (connection: RTCPeerConnection) => void): void {
  const original = globalThis.RTCPeerConnection;
  if (typeof original !== 'function') return;
  const watched = new Proxy(original, {
    construct(target, args, newTarget) {
      const connection = Reflect.construct(
        target,
        args,
        newTarget === watched ? target : newTarget,
      ) as RTCPeerConnection;
      onMade(connection);
      return connection;
    },
  });
  for (const name of names) replace(globalThis, name, original, watched);
  replace(original.prototype, 'constructor', original, watched);
  keepText(watched, original);
}

/** Keeps place and attributes of the property. */
function replace(owner: object, name: string, from: unknown, to: unknown): void {
  const found = Object.getOwnPropertyDescriptor(owner, name);
  if (found?.value === from) Object.defineProperty(owner, name, { ...found, value: to });
}

/** The text of a Proxy lacks the name of the function. */
function keepText(watched: object, original: object): void {
  const nativeText = Function.prototype.toString;
  const shown = new Map<unknown, unknown>([[watched, original]]);
  const quiet: typeof nativeText = new Proxy(nativeText, {
    apply: (target, of, args) => Reflect.apply(target, shown.get(of) ?? of, args) as string,
  });
  shown.set(quiet, nativeText);
  replace(Function.prototype, 'toString', nativeText, quiet);
}
