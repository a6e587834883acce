import { SAFELIST_TYPES, type SafelistItem, safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import type { ListKind } from '../lists/list-kind.ts';

/** Returns the list of harmless files, tags and signatures. */
export function safelistKind(daysToLive: number): ListKind<SafelistItem> {
  return {
    name: 'safelist',
    word: 'Safe',
    definition: safelistDocument,
    types: SAFELIST_TYPES,
    hashes: ['sha256', 'sha1', 'md5'],
    daysToLive,
  };
}
