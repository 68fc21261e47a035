/**
 * The pages as a site, with search: `npm run docs:site [FOLDER]`. VitePress makes it, and fails at a link that leads
 * nowhere. It is fetched in this version, and is no package of the repository: a clone that only runs or tests needs
 * none of it.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './places.mjs';

const vitepress = 'vitepress@1.6.4';
/** Beside those in `docs/`: where they are, and what they are called in the site. */
const elsewhere = {
  'README.md': 'index.md',
  'CONTRIBUTING.md': 'CONTRIBUTING.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  'docker/README.md': 'docker/index.md',
  'examples/README.md': 'examples/index.md',
  'recipes/README.md': 'recipes/index.md',
  'docs/README.md': 'docs/index.md',
};

/** Every page of the repository, and its place in the site. */
export function pagesOfSite() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'));
  return { ...Object.fromEntries(docs.map((name) => [`docs/${name}`, `docs/${name}`])), ...elsewhere };
}

/** In titles of the sidebar: the first heading of a page. */
export function titleOf(text) {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '');
}

/**
 * Links between pages stay, with the places that these have in the site. One to a file that is no page has nowhere to
 * lead there, so its words stand alone; that the file is in the repository is tested there.
 */
export function linksForSite(text, path, pages) {
  return text.replace(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, words, target) => {
    if (/^(https?:|mailto:|#)/.test(target)) return whole;
    const [file = '', anchor] = target.split('#');
    const found = posix.normalize(posix.join(posix.dirname(path), file));
    const place = pages[found];
    if (place === undefined) return existsSync(join(root, found)) ? words : whole;
    const to = posix.relative(posix.dirname(pages[path] ?? ''), place);
    return `[${words}](${to.startsWith('.') ? to : `./${to}`}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** Puts the pages, what they show, and VitePress' configuration into a folder of their own. */
export function staged(folder) {
  const pages = pagesOfSite();
  for (const [path, place] of Object.entries(pages)) {
    const to = join(folder, place);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, linksForSite(readFileSync(join(root, path), 'utf8'), path, pages));
  }
  const pictures = readdirSync(join(root, 'docs'), { recursive: true })
    .map(String)
    .filter((name) => /\.(svg|png)$/.test(name));
  for (const name of pictures) cpSync(join(root, 'docs', name), join(folder, 'docs', name));
  mkdirSync(join(folder, '.vitepress'));
  writeFileSync(
    join(folder, '.vitepress/config.mjs'),
    `export default ${JSON.stringify(configuration(pages), null, 2)};\n`,
  );
}

function configuration(pages) {
  const entry = ([path, place]) => ({
    text: titleOf(readFileSync(join(root, path), 'utf8')),
    link: `/${place.replace(/(index)?\.md$/, '')}`,
  });
  const isIn =
    (folder) =>
    ([path]) =>
      path.startsWith(`docs/${folder}/`);
  const parts = ['guide', 'reference', 'lab'].map((folder) => Object.entries(pages).filter(isIn(folder)));
  const others = Object.entries(pages).filter((page) => !parts.flat().some(([path]) => path === page[0]));
  const [guide, reference, lab] = parts;
  return {
    title: 'Loadline',
    description: 'How many WebRTC sessions does this media-server host carry before any participant notices?',
    cleanUrls: false,
    // Addresses of this machine in examples are no links of the site.
    ignoreDeadLinks: 'localhostLinks',
    themeConfig: {
      search: { provider: 'local' },
      outline: [2, 3],
      sidebar: [
        { text: 'Loadline', items: others.map(entry) },
        { text: 'Guide', items: guide.map(entry) },
        { text: 'Reference', items: reference.map(entry) },
        { text: 'Measured', collapsed: true, items: lab.map(entry) },
      ],
    },
  };
}

function main() {
  const out = resolve(process.argv[2] ?? join(root, 'site'));
  const folder = mkdtempSync(join(tmpdir(), 'loadline-site-'));
  try {
    staged(folder);
    if (!bringVitePress(folder)) return;
    const program = join(folder, 'node_modules/vitepress/bin/vitepress.js');
    const { status } = spawnSync(process.execPath, [program, 'build', folder, '--outDir', out], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Into the folder of the pages, because what VitePress makes of a page imports Vue from beside it. */
function bringVitePress(folder) {
  const there = process.env.LOADLINE_SITE_PACKAGES;
  if (there !== undefined) {
    symlinkSync(resolve(there), join(folder, 'node_modules'));
    return true;
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', vitepress];
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write(
      `npm cannot install ${vitepress}; a folder node_modules that has it can be named in LOADLINE_SITE_PACKAGES\n`,
    );
    process.exitCode = 1;
  }
  return status === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
