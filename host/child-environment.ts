import { env } from 'node:process';

/** Environment that a program that takes foreign data needs: to be found, to speak, to draw, to reach the web. */
const names = new Set(
  `PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TMP TEMP DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_CACHE_HOME
  LD_LIBRARY_PATH SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS CHROME_DEVEL_SANDBOX`.split(/\s+/),
);
const families = /^(?:LC_|FONTCONFIG_|GST_)/;
const proxies = /^(?:https?|ftp|all|no)_proxy$/i;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child that parses what others send: what is listed above, and nothing else, so that no login is
 * in it, whatever its name. Addresses of proxies go without their login.
 */
export function childEnvironment(
  more: Readonly<Record<string, string>> = {},
  of: Variables = env,
): Record<string, string> {
  const kept = Object.entries(of).flatMap(([name, value = '']) => {
    if (proxies.test(name)) return [[name, withoutLogin(value)] as const];
    return value !== '' && (names.has(name) || families.test(name)) ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(kept), ...more };
}

const withoutLogin = (proxy: string) => proxy.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1');
