import type { DocumentDefinition } from '../../documents/schema/document-definition.ts';

/** Names a source of an entry, and its reasons. */
export interface ListSource {
  readonly classification: string;
  readonly name: string;
  readonly reason: readonly string[];
  readonly type: 'user' | 'external';
}

/** The members that entries of both lists have. */
export interface ListItem {
  readonly added: string;
  readonly classification: string;
  readonly enabled: boolean;
  readonly expiry_ts?: string | undefined;
  readonly hashes: Readonly<Record<string, string | undefined>>;
  readonly sources: readonly ListSource[];
  readonly type: string;
  readonly updated: string;
}

/** One of the two lists. */
export interface ListKind<T> {
  readonly name: 'safelist' | 'badlist';
  readonly definition: DocumentDefinition<T>;
  /** Kinds of entries, as their type. */
  readonly types: readonly string[];
  /** Word of the list in messages: `Safe` or `Bad`. */
  readonly word: string;
  /** Names of hashes, the best identifier first. */
  readonly hashes: readonly string[];
  /** Days until a listed tag is deleted when its sender names none; 0 never. */
  readonly daysToLive: number;
  /** Members of the list alone that a merge combines. */
  readonly merge?: (stored: T, added: T) => Partial<T>;
}
