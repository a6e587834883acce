import { FILE_KINDS } from '../../documents/kinds/file-kinds.ts';

/** Kinds that only identification gives, beside those that submitters may name. */
const FURTHER_KINDS = [
  'archive/bundle/al',
  'code/c++',
  'corrupted/cart',
  'document/office/equation',
  'document/office/package',
  'document/office/paintbrush',
  'document/office/visio',
  'document/office/wordperfect',
  'document/office/wordpro',
  'document/pdf/passwordprotected',
  'document/pdf/portfolio',
  'empty',
  'ios/ipa',
  'quarantine/mcafee',
  'text/csv',
  'unknown',
] as const;

const KNOWN: ReadonlySet<string> = new Set([...FILE_KINDS, ...FURTHER_KINDS]);

/** Returns whether a kind of files is one that identification can give; `uri/<scheme>` for any scheme. */
export function isIdentifiedKind(kind: string): boolean {
  return KNOWN.has(kind) || /^uri\/[a-z][a-z0-9+.-]*$/.test(kind);
}
