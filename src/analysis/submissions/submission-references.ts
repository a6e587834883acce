import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, anyOf, not, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { submissionsOfFile } from '../result-views/file-metadata.ts';

const EVERY_REFERENCE = unrestricted('a reference counts regardless of its classification');
/** Keys that one query asks for. */
const CHUNK = 100;
/** Queries at the same time. */
const CONCURRENCY = 4;

/** Finds what else refers to the files, results and errors of a submission. */
export class SubmissionReferences {
  readonly #submissions: Collection<Submission>;
  readonly #results: Collection<Result>;

  constructor({ submissions, results }: { submissions: Collection<Submission>; results: Collection<Result> }) {
    this.#submissions = submissions;
    this.#results = results;
  }

  /** Returns the keys that submissions other than this one list. */
  async keysElsewhere(sid: string, field: 'results' | 'errors', keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await inTurns(chunksOf(keys), async (chunk) => {
      const query = allOf(notSubmission(sid), { kind: 'terms', field, values: chunk });
      const { buckets } = await this.#submissions.facet(
        { query, field, include: chunk, rows: chunk.length },
        EVERY_REFERENCE,
      );
      return buckets.map(({ key }) => String(key));
    });
    return new Set(found.flat());
  }

  /** Returns the classifications of the other submissions in which each file was analysed. */
  async classificationsElsewhere(
    sid: string,
    files: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await inTurns(files, async (sha256) => {
      const query = allOf(notSubmission(sid), inSubmission(sha256));
      const { buckets } = await this.#submissions.facet({ query, field: 'classification', rows: 100 }, EVERY_REFERENCE);
      return [sha256, buckets.map(({ label }) => label)] as const;
    });
    return new Map(found);
  }

  /** Returns whether another submission analysed the file. */
  async isAnalysedElsewhere(sid: string, sha256: string): Promise<boolean> {
    const query = allOf(notSubmission(sid), inSubmission(sha256));
    return (await this.#submissions.count({ query }, EVERY_REFERENCE)) > 0;
  }

  /** Returns those files that a result with another key names as extracted or supplementary. */
  async namedByResults(files: readonly string[], doomed: readonly string[]): Promise<ReadonlySet<string>> {
    const named = await inTurns(files, async (sha256) => {
      const query = anyOf(
        { kind: 'term', field: 'response.extracted.sha256', value: sha256 },
        { kind: 'term', field: 'response.supplementary.sha256', value: sha256 },
      );
      const { items } = await this.#results.search(
        { query, filters: [not({ kind: 'ids', ids: doomed })], rows: 1, fields: ['sha256'] },
        EVERY_REFERENCE,
      );
      return items.length > 0 ? [sha256] : [];
    });
    return new Set(named.flat());
  }

  /** Returns the identifiers of other submissions in which one of the files was analysed, at most 10,000. */
  async submissionsOf(sid: string, files: readonly string[]): Promise<readonly string[]> {
    const found = await inTurns(files, async (sha256) => {
      const query = allOf(notSubmission(sid), inSubmission(sha256));
      const { items } = await this.#submissions.search({ query, rows: 10_000, fields: ['sid'] }, EVERY_REFERENCE);
      return items.map(({ id }) => id);
    });
    return [...new Set(found.flat())];
  }
}

function notSubmission(sid: string): QueryNode {
  return not({ kind: 'ids', ids: [sid] });
}

function inSubmission(sha256: string): QueryNode {
  return anyOf(submissionsOfFile(sha256), { kind: 'prefix', field: 'errors', value: `${sha256}.` });
}

function chunksOf(keys: readonly string[]): readonly (readonly string[])[] {
  const chunks: (readonly string[])[] = [];
  for (let at = 0; at < keys.length; at += CHUNK) chunks.push(keys.slice(at, at + CHUNK));
  return chunks;
}

/** Runs `work` on each item, a few at a time, and returns the answers in order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < items.length; at += CONCURRENCY) {
    answers.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(work))));
  }
  return answers;
}
