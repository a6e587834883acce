import { createHash } from 'node:crypto';
import { type Fact, fact } from './fact.ts';

/** Names of hash functions by the number of hexadecimal digits. */
const KINDS: Readonly<Record<number, string>> = {
  32: 'MD5',
  40: 'SHA-1',
  56: 'SHA-224',
  64: 'SHA-256',
  96: 'SHA-384',
  128: 'SHA-512',
};
const TYPES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' } as const;
/** Functions for which people have made different files of one hash. */
const BROKEN: ReadonlySet<string> = new Set(['MD5', 'SHA-1']);

/** Written in two parts: virus scanners would report this file. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Facts of files with known contents. */
const KNOWN_FILES: readonly (readonly [contents: string, facts: (name: string) => readonly Fact[]])[] = [
  [
    '',
    (name) => [
      fact('empty-file', `This is the ${name} of the empty file.`, { ubiquitous: true }),
      fact('benign', 'A file without contents does nothing.', { type: 'opinion', severity: 0 }),
    ],
  ],
  [
    EICAR,
    (name) => [
      fact(
        'eicar-test-file',
        `This is the ${name} of the EICAR test file: harmless, but scanners report it to show that they work.`,
      ),
    ],
  ],
  [
    '\n',
    (name) => [fact('blank-file', `This is the ${name} of a file with a line break alone.`, { ubiquitous: true })],
  ],
];

const KNOWN: ReadonlyMap<string, readonly Fact[]> = new Map(
  KNOWN_FILES.flatMap(([contents, facts]) =>
    Object.entries(TYPES).map(
      ([type, name]) => [createHash(type).update(contents).digest('hex'), facts(name)] as const,
    ),
  ),
);

/** Returns what a hash says of itself. */
export function hashFacts(type: keyof typeof TYPES): (value: string) => readonly Fact[] {
  const expected = TYPES[type];
  return (value) => {
    const kind = /^[0-9a-f]{1,128}$/i.test(value) ? KINDS[value.length] : undefined;
    if (kind === undefined) return [fact('not-a-hash', `The value is not a hash of the kind ${expected}.`)];
    if (kind !== expected) {
      const summary = `The value has ${value.length} hexadecimal digits: it is a hash of the kind ${kind}, not ${expected}.`;
      return [fact(kind, summary)];
    }
    const collisions = BROKEN.has(kind) ? ', for which different files of one hash can be made' : '';
    const summary = `The hash is of the kind ${kind} (${value.length} hexadecimal digits)${collisions}.`;
    return [fact(kind, summary), ...contentFacts(value.toLowerCase())];
  };
}

function contentFacts(hash: string): readonly Fact[] {
  if (!/^(.)\1*$/.test(hash)) return KNOWN.get(hash) ?? [];
  const summary = `All digits are ${hash.charAt(0)}: this is a placeholder, and no file has this hash.`;
  return [fact('placeholder', summary, { ubiquitous: true, confidence: 0.95 })];
}
