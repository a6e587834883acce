const MAX_NAME = 1000;

/**
 * Returns the name of a member of an archive as people see it.
 * It is a relative path without `..`, drive and control characters, and never becomes a path of the file system.
 */
export function memberName(given: string, fallback = 'unnamed'): string {
  const parts = given
    .split(/[\\/]/)
    .filter(
      (part, index) => part !== '' && part !== '.' && part !== '..' && !(index === 0 && /^[A-Za-z]:$/.test(part)),
    );
  const name = parts.join('/').replaceAll(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, escaped);
  const cut = name.length > MAX_NAME ? name.slice(-MAX_NAME).replace(/^[\udc00-\udfff]/, '') : name;
  return cut.trim() === '' ? fallback : cut;
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
