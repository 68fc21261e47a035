import { LoadlineError, messageOf } from './errors.js';

/** What a file system answers when it will not, by its codes (errno(3)). */
const refusals = new Set(
  'EACCES EPERM EROFS ENOTDIR EISDIR EEXIST ENOENT ELOOP ENAMETOOLONG ENOTEMPTY EXDEV EIO EFBIG ETXTBSY'.split(' '),
);
const noRoom = new Set(['ENOSPC', 'EDQUOT']);

export function isNoRoom(error: unknown): boolean {
  return noRoom.has(codeOf(error));
}

export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error));
}

/**
 * A refusal of the file system as an error that says which file it was and what to do: E_DISK_FULL or E_FOLDER.
 * Everything else is returned as it is.
 */
export function fileRefusal(error: unknown, what = 'A file or folder cannot be used as it is needed.'): unknown {
  if (!(error instanceof Error) || error instanceof LoadlineError) return error;
  const where = 'path' in error && typeof error.path === 'string' ? { where: error.path } : {};
  const parts = { ...where, why: error.message, cause: error };
  if (isNoRoom(error)) {
    return new LoadlineError('E_DISK_FULL', 'There is no room left on the disk.', {
      ...parts,
      todo: 'free some space; loadline doctor says which folders are written',
    });
  }
  if (!refusals.has(codeOf(error)) || !('syscall' in error)) return error;
  return new LoadlineError('E_FOLDER', what, {
    ...parts,
    todo: 'give this user a folder there that may be written; loadline doctor says which are, and which variable names them',
  });
}

/** Why a file or folder cannot be written, without the codes of the file system. */
export function unwrittenWhy(error: unknown): string {
  const path = error instanceof Error && 'path' in error ? `: ${String(error.path)}` : '';
  const why = {
    ENOENT: 'there is no such folder',
    ENOTDIR: 'a part of the path is a file',
    EISDIR: 'it is a folder',
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'nothing can be written there',
    EEXIST: 'there is a file of that name',
  }[codeOf(error)];
  return why === undefined ? messageOf(error) : `${why}${path}`;
}

/** Why a file that somebody named cannot be read, and what to do: `naming` where another one is meant. */
export function unreadFile(error: unknown, naming: string): { readonly why: string; readonly todo: string } {
  const path = error instanceof Error && 'path' in error ? `: ${String(error.path)}` : '';
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { why: `there is no such file${path}`, todo: naming };
    case 'EISDIR':
      return { why: 'it is a folder', todo: naming };
    case 'EACCES':
    case 'EPERM':
      return { why: `this user may not read it${path}`, todo: 'give this user the right to read it' };
    default:
      return { why: messageOf(error), todo: naming };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
