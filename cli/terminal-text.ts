/** What this tool writes: colours (ECMA-48, SGR), and in the live view return and erase-line. */
const colour = String.raw`\u001b\[(?:\d{1,2}(?:;\d{1,2})*)?m`;
const line = String.raw`\u001b\[2K|\r`;
/** All other control characters of C0 and C1 but line feed, tab and line ends; and those that turn direction. */
const others = String.raw`[^\P{Cc}\t\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]`;
const forTerminal = new RegExp(`(${colour}|${line})|${others}`, 'gu');
const forPipe = new RegExp(`(${colour}|\\r\\n)|${others}`, 'gu');

/**
 * Text as a terminal or a pipe may get it: a pipe ends in a terminal, too, or in a log. Stored runs come from others: a
 * name in one of them must not set a title, fill a clipboard or ask the terminal for an answer that it would type.
 */
export function terminalText(text: string, { isTty }: { readonly isTty: boolean }): string {
  return text.replace(isTty ? forTerminal : forPipe, (_, kept: string | undefined) => kept ?? '\ufffd');
}
