import { keepText, replace } from './in-place.js';

/** The property names under which Chromium has the constructor. */
const names = ['RTCPeerConnection', 'webkitRTCPeerConnection'] as const;

/**
 * Calls back for each RTCPeerConnection that the app makes, also by a subclass of it. The app sees what it would see
 * without: the same prototype, `constructor`, `instanceof`, own keys, their order and attributes, errors, and text of
 * the function. Where something is forced, it finds that in the configuration.
 */
export function watchConnections(
  /** With what the app configures it with. */
  onMade: (connection: RTCPeerConnection, configuration: unknown) => void,
  /** What each is configured with, whatever the app says; empty: nothing. */
  forced: RTCConfiguration = {},
): void {
  const original = globalThis.RTCPeerConnection;
  if (typeof original !== 'function') return;
  const watched = new Proxy(original, {
    construct(target, args, newTarget) {
      const connection = Reflect.construct(
        target,
        configured(args, forced),
        newTarget === watched ? target : newTarget,
      ) as RTCPeerConnection;
      onMade(connection, args[0]);
      return connection;
    },
  });
  for (const name of names) replace(globalThis, name, original, watched);
  replace(original.prototype, 'constructor', original, watched);
  const { setConfiguration } = original.prototype;
  const setting = new Proxy(setConfiguration, {
    apply: (target, of, args: readonly unknown[]) => Reflect.apply(target, of, configured(args, forced)) as undefined,
  });
  const isForced = Object.keys(forced).length > 0;
  if (isForced) replace(original.prototype, 'setConfiguration', setConfiguration, setting);
  keepText(
    new Map<unknown, unknown>([[watched, original], ...(isForced ? [[setting, setConfiguration] as const] : [])]),
  );
}

function configured(args: readonly unknown[], forced: RTCConfiguration): readonly unknown[] {
  const [own, ...rest] = args;
  return Object.keys(forced).length === 0 ? args : [{ ...(own as RTCConfiguration | undefined), ...forced }, ...rest];
}
