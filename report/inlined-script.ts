import { createHash } from 'node:crypto';

/** Script text that cannot end its element. */
export function inlinedScript(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/** By which a policy allows it alone: "sha256-…". */
export function scriptDigest(script: string): string {
  return `sha256-${createHash('sha256').update(inlinedScript(script)).digest('base64')}`;
}
