import { libraryPath } from '../../../model/visited-page.js';
import { inPlace } from './in-place.js';

/** More than any library calls until it makes a connection. */
const frames = 200;
const named = new RegExp(`${libraryPath.replaceAll('.', '\\.')}\\?([^:)\\s]+)`);

/**
 * Which participant's library is at work: each has a module of its own, whose address is in the stack. Undefined: none
 * that calls.
 */
export function participantNow(): string | undefined {
  // The types of the language do not know what V8 has.
  const limited = Error as unknown as { stackTraceLimit: number };
  const before = limited.stackTraceLimit;
  limited.stackTraceLimit = frames;
  const { stack = '' } = new Error();
  limited.stackTraceLimit = before;
  const [, name] = named.exec(stack) ?? [];
  return name === undefined ? undefined : decodeURIComponent(name);
}

/**
 * Calls back with each stream of a camera or a microphone, and whose library asked for it. Who asks for the same as
 * another gets copies of its tracks: each way to a device costs once.
 */
export function keepStreams(onStream: (stream: MediaStream, name: string | undefined) => void): void {
  const opened = new Map<string, Promise<MediaStream>>();
  inPlace(MediaDevices.prototype, 'getUserMedia', async (target, of, args) => {
    const name = participantNow();
    const asked = JSON.stringify(args);
    const open = () => Reflect.apply(target, of, args) as Promise<MediaStream>;
    const known = opened.get(asked) ?? open();
    opened.set(asked, known);
    try {
      const stream = new MediaStream((await known).getTracks().map((track) => track.clone()));
      onStream(stream, name);
      return stream;
    } catch (error) {
      opened.delete(asked);
      throw error;
    }
  });
}
