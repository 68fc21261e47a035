/** What is no character of XML 1.0 (2.2 Char) cannot be written, not even as a reference. */
const unwritable = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in an element or a quoted attribute of XML and HTML. */
export function escapeMarkup(text: string): string {
  return text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
