/** Matches comments, strings, and regular expressions behind an operator. */
const SKIPPED = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|(?<=[=(,]|matches)(\s*)\/(?:[^/\\\n]|\\.)+\//g;
const DECLARATION = /^(?:import\s*""\s*)*(?:(?:private|global)\s+)*rule\s+([A-Za-z_]\w{0,127})\s*(?::[\s\w]*)?\{/;

/**
 * Returns what is wrong with the outline of YARA rules: their names, braces and conditions. Undefined
 * when nothing is. It does not check the conditions themselves.
 */
export function yaraProblem(text: string): string | undefined {
  let rest = text.replaceAll(SKIPPED, (skipped) =>
    skipped.startsWith('"') ? '""' : ` ${skipped.replaceAll(/[^\n]/g, '')}`,
  );
  rest = rest.trimStart();
  const names = new Set<string>();
  while (rest !== '') {
    const at = rest;
    const problem = (what: string) => `line ${1 + text.split('\n').length - at.split('\n').length}: ${what}`;
    const [start, name = ''] = DECLARATION.exec(rest) ?? [];
    if (start === undefined) return problem(`expected a rule, not "${rest.slice(0, 30).trim()}"`);
    if (names.has(name)) return problem(`the rule ${name} occurs twice`);
    names.add(name);
    const end = endOfBraces(rest, start.length);
    if (end === undefined) return problem(`the rule ${name} has no closing brace`);
    if (!/(?:^|[\s}])condition\s*:/.test(rest.slice(start.length, end))) {
      return problem(`the rule ${name} has no condition`);
    }
    rest = rest.slice(end + 1).trimStart();
  }
  return undefined;
}

/** Returns the place of the brace that closes the one in front of `start`. */
function endOfBraces(text: string, start: number): number | undefined {
  let depth = 1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}
