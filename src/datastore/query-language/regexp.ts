/** Why a pattern is no regular expression; undefined: it is one. */
export function checkRegexp(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch {
    return 'takes regular expressions, and this is none';
  }
}

export function compileRegexp(pattern: string): (value: string) => boolean {
  const expression = new RegExp(`^(?:${pattern})$`, 'su');
  return (value) => expression.test(value);
}
