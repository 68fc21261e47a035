type Environment = Readonly<Record<string, string | undefined>>;

/** Of a variable that is not set a script sees `undefined`, and may type that word: which, and where, is kept. */
export function watchedEnvironment(lineOf: (error: unknown) => string | undefined) {
  const missed = new Map<string, string | undefined>();
  const watched = (env: Environment): Environment =>
    new Proxy(env, {
      get: (all, name) => {
        const value: unknown = Reflect.get(all, name);
        if (value === undefined && typeof name === 'string' && isVariable.test(name) && !missed.has(name)) {
          missed.set(name, lineOf(new Error(name)));
        }
        return value;
      },
    });
  return {
    seen: <Given extends { readonly env: Environment }>(given: Given): Given => ({ ...given, env: watched(given.env) }),
    unset: (): readonly string[] =>
      [...missed].map(([name, line]) => `env.${name}${line === undefined ? '' : `, which ${line} reads,`} is not set`),
  };
}

/** As a shell takes it; others ask for what every object has. */
const isVariable = /^[A-Z_][A-Z0-9_]*$/;
