import type { Collection } from '../../datastore/port/collection.ts';
import { type FileRecord, fileDocument } from '../../documents/kinds/analysis/file.ts';
import { type Result, resultDocument } from '../../documents/kinds/analysis/result.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SearchDeadline } from '../../search/search-shares.ts';
import { compileSelection } from '../../search/selection.ts';
import type { FileReader } from './file-reader.ts';

export interface SimilarFilesDependencies {
  readonly reader: Pick<FileReader, 'record'>;
  readonly collection: Collection<FileRecord>;
  readonly results: Collection<Result>;
}

/** Files that share a value with another one. */
export interface SimilarFilesGroup {
  readonly type: 'tlsh' | 'ssdeep' | 'vector';
  readonly value: string;
  readonly total: number;
  readonly items: readonly object[];
}

const VECTOR_FIELD = 'result.sections.tags.vector';
const ROWS = 10;
/** Results that are searched for vectors, and vectors that are searched for. */
const MAX_RESULTS = 100;
const MAX_VECTORS = 20;
/** Milliseconds of all searches together. */
const TIMEOUT = 10_000;
const MISSING = { missing: 'This file does not exists', response: { success: false } };

/** Finds files with the same TLSH, a part of the ssdeep, or a vector in common. */
export class SimilarFiles {
  readonly #parts: SimilarFilesDependencies;

  constructor(dependencies: SimilarFilesDependencies) {
    this.#parts = dependencies;
  }

  async find(actor: Actor, sha256: string): Promise<readonly SimilarFilesGroup[]> {
    const denied = 'You are not allowed to view this file';
    const record = await this.#parts.reader.record(actor, sha256, { ...MISSING, denied });
    const [, whole = '', half = ''] = (record.ssdeep ?? '').split(':');
    const deadline = { timeout: TIMEOUT, signal: AbortSignal.timeout(TIMEOUT) };
    const groups = await Promise.all([
      this.#sameDigest(actor, sha256, 'tlsh', record.tlsh ?? '', deadline),
      this.#sameDigest(actor, sha256, 'ssdeep', whole, deadline),
      this.#sameDigest(actor, sha256, 'ssdeep', half, deadline),
      ...(await this.#vectorsOf(actor, sha256, deadline)).map((vector) =>
        this.#sameVector(actor, sha256, vector, deadline),
      ),
    ]);
    return groups.filter(({ total }) => total > 0);
  }

  async #sameDigest(
    actor: Actor,
    sha256: string,
    type: 'tlsh' | 'ssdeep',
    value: string,
    deadline: SearchDeadline,
  ): Promise<SimilarFilesGroup> {
    if (value === '') return { type, value, total: 0, items: [] };
    const selection = compileSelection(fileDocument, {
      query: `${type}:${quoted(value)}`,
      filters: [otherThan(sha256)],
      deadline,
    });
    const fields = ['type', 'sha256', 'seen.last'];
    const found = await this.#parts.collection.search({ ...selection, rows: ROWS, fields }, actor.searchAccess);
    return { type, value, total: found.total, items: found.items.map(({ document }) => document) };
  }

  async #vectorsOf(actor: Actor, sha256: string, deadline: SearchDeadline): Promise<readonly string[]> {
    const selection = compileSelection(resultDocument, {
      query: `sha256:${sha256} AND ${VECTOR_FIELD}:*`,
      filters: [],
      deadline,
    });
    const fields = [VECTOR_FIELD];
    const found = await this.#parts.results.search({ ...selection, rows: MAX_RESULTS, fields }, actor.searchAccess);
    const vectors = found.items.flatMap(({ document }) =>
      (document.result?.sections ?? []).flatMap(({ tags }) =>
        [(tags as { vector?: unknown } | undefined)?.vector].flat(),
      ),
    );
    return [...new Set(vectors.filter((each) => typeof each === 'string'))].slice(0, MAX_VECTORS);
  }

  async #sameVector(actor: Actor, sha256: string, value: string, deadline: SearchDeadline): Promise<SimilarFilesGroup> {
    const selection = compileSelection(resultDocument, {
      query: `${VECTOR_FIELD}:${quoted(value)}`,
      filters: [otherThan(sha256)],
      deadline,
    });
    const fields = ['type', 'sha256', 'created'];
    const request = { ...selection, rows: ROWS, fields, field: 'sha256', limit: 1 };
    const { groups, total } = await this.#parts.results.group(request, actor.searchAccess);
    return {
      type: 'vector',
      value,
      total,
      items: groups.flatMap(({ items }) => items.map(({ document }) => document)),
    };
  }
}

function otherThan(sha256: string): string {
  return `NOT sha256:${quoted(sha256)}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
