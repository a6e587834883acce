import type { IndexBody } from '../../../../test/golden/mapping-definition.ts';
import type { StoredDocument } from '../../../documents/schema/collection-definition.ts';

/** A query and what it finds. The README beside the tables says how the server was asked. */
export interface GoldenQuery {
  readonly area: string;
  readonly q: string;
  readonly ids?: readonly string[];
  readonly total?: number;
  readonly error?: true;
  readonly class?: string;
  readonly no_default_field?: boolean;
}

export interface GoldenAggregation {
  readonly kind: 'facet' | 'histogram' | 'date_histogram' | 'stats' | 'count' | 'group' | 'sort';
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly filters: readonly string[];
  readonly expected: Readonly<Record<string, unknown>>;
}

export type GoldenRow = GoldenQuery | GoldenAggregation;

/** A row and where it stands. */
export interface GoldenEntry {
  readonly file: 'queries.ndjson' | 'aggregations.ndjson';
  /** From 1. */
  readonly line: number;
  readonly row: GoldenRow;
}

/** Recorded answers of a real server for a fixed set of documents. */
export interface GoldenTable {
  readonly mapping: IndexBody;
  readonly documents: readonly StoredDocument[];
  readonly entries: readonly GoldenEntry[];
}
