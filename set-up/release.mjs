/**
 * What a release brings beside the package: `npm run release:check [FOLDER]` writes the list of what ships (SBOM,
 * CycloneDX) and the licences of all of it, and asks the registry for known vulnerabilities. Each step can fail, and
 * says why.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './places.mjs';

/** What may ship without a look. Others are shipped by those who have looked, and are named below. */
const free = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense']);
/** Packages whose licence is said in a way of their own, or is another one, and what was found by looking. */
const looked = {
  '@bufbuild/protobuf': 'Apache-2.0, and BSD-3-Clause of one file; both are free',
  '@shinyoshiaki/jspack': 'BSD-3-Clause, in its LICENSE',
  'kurento-client-elements': 'Apache-2.0, written "ALv2"',
  'kurento-client-filters': 'Apache-2.0, written "ALv2"',
  mediabunny: 'MPL-2.0, which is of its own files; they ship unchanged',
  precond: 'MIT, in its README',
  promisecallback: 'LGPL, of a version that it does not say; used as it is, as a package of its own',
};

/** Every package of the lock file that is shipped: where it lies, its version and what it says of its licence. */
export function shippedPackages(folder = root) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== '' && !dev && (!optional || existsSync(join(folder, path))))
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      path,
      license: license ?? saidIn(join(folder, path, 'package.json')),
    }));
}

function saidIn(file) {
  if (!existsSync(file)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'));
  const said = license ?? licenses?.[0];
  return typeof said === 'string' ? said : said?.type;
}

/** A sentence for each package that may not ship before somebody has looked. */
export function unknownLicences(packages) {
  return packages
    .filter(({ name, license }) => !free.has(license) && !(name in looked) && !isChoice(license))
    .map(({ name, version, license }) => `${name} ${version} says ${license ?? 'nothing'} of its licence`);
}

/** "(MIT OR GPL-3.0)": one of them is free. */
function isChoice(license = '') {
  return (
    / OR /.test(license) &&
    license
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((one) => free.has(one))
  );
}

/** The licences of all that ships, with the words of each where the package brings them. */
export function licenceText(packages, folder = root) {
  return packages
    .map(({ name, version, path, license }) => {
      const place = join(folder, path);
      const files = existsSync(place)
        ? readdirSync(place).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
        : [];
      const words = files.map((file) => readFileSync(join(place, file), 'utf8').trim());
      return [`${name} ${version}: ${looked[name] ?? license}`, ...words].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** What is known of vulnerabilities. A registry that does not say is no answer, and so a failure, by another name. */
export function audited({ status, stdout }) {
  const said = parsed(stdout);
  const counts = said?.metadata?.vulnerabilities;
  if (!counts)
    return {
      ok: false,
      text: `could not be asked: ${said?.message ?? said?.error?.summary ?? `npm audit ended with ${status}`}; ${elsewhere}`,
    };
  if (counts.total === 0) return { ok: true, text: 'no known vulnerability' };
  const names = Object.keys(said.vulnerabilities ?? {}).join(', ');
  return { ok: false, text: `${counts.total} known vulnerabilities: ${names}` };
}

const elsewhere = 'nothing is known of vulnerabilities: run it where the registry answers npm audit';

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const npm = (...args) => spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 });

function changelogOf(version) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(.*)$`, 'm').exec(
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  );
  if (!heading) return { ok: false, text: `CHANGELOG.md has no section for ${version}` };
  const isOut = /^, \d{4}-\d{2}-\d{2}$/.test(heading[1]);
  return { ok: isOut, text: isOut ? `section${heading[1]}` : `the section of ${version} has no date yet` };
}

function sbom(folder) {
  const { status, stdout, stderr } = npm('sbom', '--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx');
  const said = parsed(stdout);
  if (status !== 0 || !said) return { ok: false, text: `npm sbom ended with ${status}: ${stderr.trim()}` };
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(said, null, 2)}\n`);
  return { ok: true, text: `${said.components.length} components in sbom.cdx.json` };
}

function licences(folder) {
  const packages = shippedPackages();
  const unknown = unknownLicences(packages);
  writeFileSync(join(folder, 'licences.txt'), `${licenceText(packages)}\n`);
  if (unknown.length > 0) return { ok: false, text: unknown.join('; ') };
  return { ok: true, text: `of ${packages.length} packages in licences.txt` };
}

function main() {
  const folder = resolve(process.argv[2] ?? join(root, 'release'));
  mkdirSync(folder, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const steps = [
    ['changelog', changelogOf(version)],
    ['sbom', sbom(folder)],
    ['licences', licences(folder)],
    ['audit', audited(npm('audit', '--omit=dev', '--package-lock-only', '--json'))],
  ];
  for (const [name, { ok, text }] of steps)
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(9)}  ${text}\n`);
  process.exitCode = steps.every(([, { ok }]) => ok) ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
