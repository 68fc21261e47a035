import { type SourceFile, withoutComments } from './source-files.js';

/**
 * Words that belong to one server: names of what it makes, does and says. They stand where it is spoken to, and nowhere
 * else, so that nobody has to know it to read the rest.
 */
export const wordsOfOneServer: readonly RegExp[] = [
  /kurento/i,
  /\bKMS\b/,
  /composite/i,
  /hubport/i,
  /pipelines\b/i,
  /MediaPipeline/,
  /(WebRtc|Recorder|Player)Endpoint/,
  /mixFps/,
  /Media(Transcoding|FlowIn|FlowOut)StateChanged/,
];

/** Where they may stand, each with its reason. A folder ends with a slash. */
export const placesOfOneServer: Readonly<Record<string, string>> = {
  'server-setup/kurento/': 'the adapter',
  'embedded-server/': 'the server that speaks the same protocol',
  'server-setup/embedded/': 'what starts that server',
  'server-setup/kinds.ts': 'the line in the registry',
  'cli/options/imitation-flags.ts': 'what that command takes',
  'cli/commands/serve.ts': 'the command that starts that server alone and says what it speaks',
  'store/run-directory/earlier-runs.ts': 'reads the runs of before, which were written in these words',
};

/** Tests and benches aside, a sentence for each word that stands elsewhere in code: in a name or in quotes. */
export function strayWords(
  files: readonly SourceFile[],
  words: readonly RegExp[] = wordsOfOneServer,
  places: Readonly<Record<string, string>> = placesOfOneServer,
): string[] {
  return files
    .filter(({ path }) => !/^(tests|bench)\/|\.test\.ts$/.test(path))
    .filter(
      ({ path }) =>
        !Object.keys(places).some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place)),
    )
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      return words.flatMap((word) => {
        const found = word.exec(code)?.[0];
        return found === undefined ? [] : [`${path} says ${found}, a word of one server`];
      });
    });
}
