/** The licences of what the build carries inside of it: who passes code on passes its notice on, too. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';

/** The name of the file in dist/. */
export const noticesName = 'licences.txt';

/** `metafiles` are esbuild's. Throws where a package that is bundled has no text of its licence. */
export function noticesOf(metafiles) {
  const folders = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageOf));
  return [...folders].sort().map(notice).join('\n');
}

/** `node_modules/@a/b/lib/c.js` is of `node_modules/@a/b`. */
function packageOf(input) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${folder} has no text of its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
}
