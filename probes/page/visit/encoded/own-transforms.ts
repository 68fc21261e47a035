import { inPlace } from '../in-place.js';

type Transformed = RTCRtpSender | RTCRtpReceiver;

export interface TransformAccess {
  /** Unseen by the app. */
  set(of: Transformed, transform: RTCRtpScriptTransform): void;
}

/**
 * What an app does with encoded media itself comes first: it takes the place of ours, `onOwn` is told of it, and what
 * the app reads is its own.
 */
export function watchTransforms(onOwn: (of: Transformed) => void): TransformAccess {
  const owned = new WeakMap<Transformed, unknown>();
  const { prototype: sender } = RTCRtpSender;
  const { prototype: receiver } = RTCRtpReceiver;
  const setters = new Map<object, ((value: unknown) => void) | undefined>();
  for (const prototype of [sender, receiver]) {
    setters.set(prototype, Object.getOwnPropertyDescriptor(prototype, 'transform')?.set);
    inPlace(prototype, 'get transform', (_target, of) => owned.get(of as Transformed) ?? null);
    inPlace(prototype, 'set transform', (target, of, args) => {
      Reflect.apply(target, of, args);
      owned.set(of as Transformed, args[0]);
      onOwn(of as Transformed);
    });
    inPlace(prototype, 'createEncodedStreams', (target, of, args) => {
      onOwn(of as Transformed);
      return Reflect.apply(target, of, args) as unknown;
    });
  }
  return {
    set: (of, transform) => setters.get(of instanceof RTCRtpSender ? sender : receiver)?.call(of, transform),
  };
}
