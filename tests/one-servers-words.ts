import { type SourceFile, withoutComments } from './source-files.js';

/**
 * Words that belong to one server: names of what it makes, does and says. They stand where it is spoken to, and nowhere
 * else, so that nobody has to know it to read the rest.
 */
interface OneServersWords {
  readonly words: readonly RegExp[];
  /** Where they may stand, each with its reason. A folder ends with a slash. */
  readonly places: Readonly<Record<string, string>>;
}

const wordsOfKurento: readonly RegExp[] = [
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

const placesOfKurento: Readonly<Record<string, string>> = {
  'server-setup/kurento/': 'the adapter',
  'embedded-server/': 'the server that speaks the same protocol',
  'server-setup/embedded/': 'what starts that server',
  'server-setup/kinds.ts': 'the line in the registry',
  'cli/options/imitation-flags.ts': 'what that command takes',
  'cli/commands/serve.ts': 'the command that starts that server alone and says what it speaks',
};

const wordsOfServers: readonly OneServersWords[] = [
  { words: wordsOfKurento, places: placesOfKurento },
  {
    words: [/janus/i, /video-?room/i, /audio-?bridge/i, /jsep/i, /\.mjr\b/, /slowlink/],
    places: { 'server-setup/janus/': 'the adapter', 'server-setup/kinds.ts': 'the line in the registry' },
  },
  {
    words: [/ovenmedia/i, /\boven[A-Z]/],
    places: { 'server-setup/ovenmedia/': 'the adapter', 'server-setup/kinds.ts': 'the line in the registry' },
  },
  {
    words: [/ant-?media/i, /takeC(onfiguration|andidate)/],
    places: { 'server-setup/antmedia/': 'the adapter', 'server-setup/kinds.ts': 'the line in the registry' },
  },
  {
    words: [/livekit/i, /twirp/i],
    places: {
      'server-setup/livekit/': 'the adapter',
      'server-setup/kinds.ts': 'the line in the registry',
      'recipes/': 'what visits its web app',
      'server-setup/evidence/page-reading.ts': 'the names of metrics of its page',
    },
  },
];

/** Tests and benches aside, a sentence for each word that stands elsewhere in code: in a name or in quotes. */
export function strayWords(
  files: readonly SourceFile[],
  servers: readonly OneServersWords[] = wordsOfServers,
): string[] {
  const product = files.filter(({ path }) => !/^(tests|bench)\/|\.test\.ts$/.test(path));
  return servers.flatMap(({ words, places }) =>
    product
      .filter(({ path }) => !mayStand(path, places))
      .flatMap(({ path, text }) => {
        const code = withoutComments(text);
        return words.flatMap((word) => {
          const found = word.exec(code)?.[0];
          return found === undefined ? [] : [`${path} says ${found}, a word of one server`];
        });
      }),
  );
}

function mayStand(path: string, places: OneServersWords['places']): boolean {
  return Object.keys(places).some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}
