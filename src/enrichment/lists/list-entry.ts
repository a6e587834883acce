import type { Settings } from '../../config/config-schema.ts';

/** One list of `enrichment.lists`. */
export type ListSettings = Settings['enrichment']['lists'][number];
export type ListFormat = ListSettings['format'];

/**
 * Says how the value of an entry matches that of a selector. `exact` fits every type. `cidr` takes
 * networks and single addresses. `domain` also matches hosts below it and e-mail addresses at them,
 * `hostname` that host and those below it. `substring` and `regex` (RE2) ignore case.
 */
export type ListMatch = 'exact' | 'cidr' | 'domain' | 'hostname' | 'substring' | 'regex';

/** One value that a list holds. */
export interface ListEntry {
  readonly match: ListMatch;
  /** Type of selector: `ipv4`, `domain`, `url`, `email_address` ... Undefined: detected from the value. */
  readonly type: string | undefined;
  readonly value: string;
  /** The marking in the list, `TLP:AMBER` ... Undefined: that of the list. */
  readonly marking: string | undefined;
  readonly details: ListDetails | undefined;
}

/** Statements of a list about a value; absent in plain lists. */
export interface ListDetails {
  /** Default: that of the list. */
  readonly opinion?: 'benign' | 'suspicious' | 'malicious' | 'obscure' | undefined;
  /** From 0 to 1. */
  readonly confidence?: number | undefined;
  readonly author?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly killChain?: readonly string[] | undefined;
  /** ISO 8601. */
  readonly validFrom?: string | undefined;
  /** ISO 8601. The entry is left out from then on. */
  readonly validUntil?: string | undefined;
  readonly summary?: string | undefined;
  readonly link?: string | undefined;
  /** Known and harmless, as warninglists mean it. */
  readonly ubiquitous?: boolean | undefined;
}

/** A list that is being read. */
export interface ListReading {
  /**
   * Chunks of up to 1,000 entries.
   * @throws ListProblem for input that is broken, incomplete, in another encoding, or has too long lines
   */
  readonly entries: AsyncIterable<readonly ListEntry[]>;
  /** Parts that were left out, by reason. Complete after the last chunk. */
  readonly notUnderstood: () => ReadonlyMap<string, number>;
}

export interface ListReaderOptions {
  readonly list: ListSettings;
  readonly signal: AbortSignal;
}

/** One part of the content of a list: a file, an answer, a page of a collection, an event of a feed. */
export interface ListDocument {
  /** For messages: the file or the address, without credentials. */
  readonly place: string;
  /** Unpacked. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Reads entries from the documents of a list in their order, one after the other. */
export type ListReader = (documents: AsyncIterable<ListDocument>, options: ListReaderOptions) => ListReading;

/** Identifies a state of the content (entity tag, time of modification ...); only the fetch reads it. */
export type ListVersion = Readonly<Record<string, string>>;

export type ListContent =
  | { readonly changed: false }
  | {
      readonly changed: true;
      readonly documents: AsyncIterable<ListDocument>;
      /** Complete after the last document. It is kept only when the list was compiled from all of them. */
      readonly version: () => ListVersion;
      /** Releases files and connections, also after a failure. */
      close(): Promise<void>;
    };

export interface ListFetchOptions {
  readonly signal: AbortSignal;
  /** An existing folder of this list alone, kept between updates. */
  readonly folder: string;
  /** Bytes that were read, before unpacking, and their expected number if it is known. */
  readonly progress: (done: number, total: number | undefined) => void;
}

/**
 * Opens the content of a list.
 * @param previous version of the list as it is compiled; undefined: there is none, everything is read
 * @throws ListProblem when it cannot be opened
 */
export type ListFetch = (
  list: ListSettings,
  previous: ListVersion | undefined,
  options: ListFetchOptions,
) => Promise<ListContent>;

/** The reason for which a list cannot be read, with its place. */
export class ListProblem extends Error {
  readonly place: string;
  readonly reason: string;

  /** @param reason a sentence without its full stop, which follows the place */
  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`${place}: ${reason}.`, options);
    this.name = 'ListProblem';
    this.place = place;
    this.reason = reason;
  }
}
