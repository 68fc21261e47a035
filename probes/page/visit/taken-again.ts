import type { MediaKind } from '../../../model/scenario.js';

const kinds: readonly MediaKind[] = ['audio', 'video'];

/**
 * The kinds that the other end takes again on an SSRC of their own (RFC 4588), by its description. `getParameters` of a
 * sender would say it, too; but what the app got of it before could not be set any more.
 */
export function takenAgain(description: string): readonly MediaKind[] {
  const sections = description.split(/^m=/m).slice(1);
  const taken = sections.filter(
    (section) => /^a=rtpmap:\d+ rtx\//im.test(section) && !/^a=(sendonly|inactive)\s*$/m.test(section),
  );
  return kinds.filter((kind) => taken.some((section) => section.startsWith(kind)));
}
