/** What this tool itself writes: colours (ECMA-48, SGR), the return and the erasing of a line in the live view. */
const ours = String.raw`\u001b\[(?:\d{1,2}(?:;\d{1,2})*)?m|\u001b\[2K`;
/** Every other control character of C0 and C1 but line feed, tab and return, and everything that begins with an escape. */
const others = new RegExp(String.raw`(${ours})|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]`, 'g');

/**
 * Text as a terminal may get it. Stored runs come from others, too: a name in one of them must not set a title, fill a
 * clipboard or ask the terminal for an answer that it would type.
 */
export function terminalText(text: string): string {
  return text.replace(others, (_, kept: string | undefined) => kept ?? '\ufffd');
}
