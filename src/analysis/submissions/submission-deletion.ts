import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { allOf, anyOf, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { retryOnConflict } from '../../datastore/port/retry-on-conflict.ts';
import type { EmptyResult } from '../../documents/kinds/analysis/empty-result.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { FileScore } from '../../documents/kinds/analysis/filescore.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import type { SubmissionSummary } from '../../documents/kinds/analysis/submission-summary.ts';
import type { SubmissionTree } from '../../documents/kinds/analysis/submission-tree.ts';
import { NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { fileOfKey, isEmptyResultKey } from '../result-views/empty-result.ts';
import type { FileRemoval } from './file-removal.ts';
import { SubmissionReferences } from './submission-references.ts';

/** Collections of classified kinds stamp what they store. */
export interface SubmissionDeletionDependencies {
  readonly submissions: Collection<Submission>;
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly emptyResults: Collection<EmptyResult>;
  readonly errors: Collection<ErrorRecord>;
  readonly fileScores: Collection<FileScore>;
  readonly trees: Collection<SubmissionTree>;
  readonly summaries: Collection<SubmissionSummary>;
  readonly classification: ClassificationEngine;
  /** Ends the analysis of a submission that is under way. */
  readonly cancel: (sid: string) => Promise<unknown>;
  readonly removal: FileRemoval;
}

const EVERYTHING = unrestricted('a deletion reaches everything that only its submission refers to');
/** Writes of one bulk. */
const BULK = 500;

/** Deletes submissions with the files, results and errors that only they refer to. */
export class SubmissionDeletion {
  readonly #dependencies: SubmissionDeletionDependencies;
  readonly #references: SubmissionReferences;

  constructor(dependencies: SubmissionDeletionDependencies) {
    this.#dependencies = dependencies;
    this.#references = new SubmissionReferences(dependencies);
  }

  /**
   * Deletes a submission of the actor, or as administrator any, and cancels its analysis.
   * @throws NotFound `submission_missing`, also when it is neither
   */
  async delete(actor: Actor, sid: string): Promise<void> {
    const { submissions } = this.#dependencies;
    const submission = await submissions.get(sid, actor.readAccess);
    const isOwn = submission?.params.submitter === actor.username;
    if (submission === undefined || !(isOwn || actor.isAdmin)) {
      throw new NotFound('submission_missing', `There is no submission with sid: ${sid}`);
    }
    await this.#mark(sid);
    await this.#dependencies.cancel(sid);
    await this.#remove(submission);
  }

  /** Deletes a submission whose copy stays in the archive; one that is gone already is left out. */
  async move(sid: string): Promise<void> {
    const submission = await this.#dependencies.submissions.get(sid, EVERYTHING);
    if (submission === undefined) return;
    await this.#mark(sid);
    await this.#remove(submission);
  }

  /** Finishes the deletions that were interrupted. Returns their number. */
  async resume(): Promise<number> {
    const query: QueryNode = { kind: 'term', field: 'to_be_deleted', value: true };
    let count = 0;
    for await (const { document } of this.#dependencies.submissions.stream({ query }, EVERYTHING)) {
      await this.#dependencies.cancel(document.sid);
      await this.#remove(document);
      count += 1;
    }
    return count;
  }

  /** A deletion that is interrupted is continued at the next start. */
  async #mark(sid: string): Promise<void> {
    const mark = { op: 'set', path: 'to_be_deleted', value: true } as const;
    await this.#dependencies.submissions.update(sid, [mark], { visible: 'now' });
  }

  /** The submission goes last, because it names what is left; results go after the files they name. */
  async #remove({
    sid,
    classification,
    files: submitted,
    results: keys,
    errors: errorKeys,
  }: Submission): Promise<void> {
    const { results, emptyResults, errors, fileScores, submissions } = this.#dependencies;
    const filled = keys.filter((key) => !isEmptyResultKey(key));
    const stored = (await results.getMany(filled, EVERYTHING)).filter((result) => result !== undefined);
    const named = stored.flatMap(({ response }) => [...response.extracted, ...response.supplementary]);
    const analysed = new Set([
      ...submitted.map(({ sha256 }) => sha256),
      ...[...keys, ...errorKeys].flatMap((key) => fileOfKey(key) ?? []),
    ]);
    const all = new Set([...analysed, ...named.map(({ sha256 }) => sha256)]);

    const [resultsElsewhere, errorsElsewhere, classifications] = await Promise.all([
      this.#references.keysElsewhere(sid, 'results', keys),
      this.#references.keysElsewhere(sid, 'errors', errorKeys),
      this.#references.classificationsElsewhere(sid, [...all]),
    ]);
    const doomedResults = keys.filter((key) => !resultsElsewhere.has(key));
    const unused = [...all].filter((sha256) => classifications.get(sha256)?.length === 0);
    const stillNamed = await this.#references.namedByResults(unused, doomedResults);

    await this.#raise(sid, classification, classifications);
    await this.#dropDerived([sid]);
    for (const sha256 of unused.filter((one) => !stillNamed.has(one))) {
      await this.#dependencies.removal.remove(sha256, () => this.#references.isAnalysedElsewhere(sid, sha256));
    }
    await deleteAll(
      errors,
      errorKeys.filter((key) => !errorsElsewhere.has(key)),
    );
    await deleteAll(emptyResults, doomedResults.filter(isEmptyResultKey));
    await deleteAll(
      results,
      doomedResults.filter((key) => !isEmptyResultKey(key)),
    );
    await fileScores.deleteWhere({ query: { kind: 'term', field: 'sid', value: sid } }, { access: EVERYTHING });
    await submissions.delete(sid, { visible: 'now' });
  }

  /** Raises files that stay, and their results, where the deleted submission was what had lowered them. */
  async #raise(sid: string, deleted: string, classifications: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const { classification } = this.#dependencies;
    const reader = new ClearedReader(classification, classification.restricted);
    const raised: string[] = [];
    for (const [sha256, [first, ...others]] of classifications) {
      if (first === undefined) continue;
      const remaining = others.reduce((lowest, one) => reader.min(lowest, one) ?? lowest, first);
      if (!(await this.#raiseFile(sha256, deleted, remaining, reader))) continue;
      raised.push(sha256);
      for (const supplementary of await this.#raiseResults(sha256, remaining, reader)) {
        await this.#raiseFile(supplementary, deleted, remaining, reader);
      }
    }
    if (raised.length > 0) await this.#dropDerived(await this.#references.submissionsOf(sid, raised));
  }

  /** Returns whether the deleted submission had lowered the file, which then got the remaining one. */
  async #raiseFile(sha256: string, deleted: string, remaining: string, reader: ClearedReader): Promise<boolean> {
    const { files } = this.#dependencies;
    return await retryOnConflict(async () => {
      const file = await files.getVersioned(sha256, EVERYTHING);
      if (file === undefined || !isRaised(reader, file.document.classification, deleted, remaining)) return false;
      await files.save(sha256, { ...file.document, classification: remaining }, { ifVersion: file.version });
      return true;
    });
  }

  /** Raises the results of a file and returns the supplementary files that they name. */
  async #raiseResults(sha256: string, minimum: string, reader: ClearedReader): Promise<ReadonlySet<string>> {
    const { results } = this.#dependencies;
    const query: QueryNode = { kind: 'term', field: 'sha256', value: sha256 };
    const supplementary = new Set<string>();
    for await (const { id, document } of results.stream({ query }, EVERYTHING)) {
      for (const file of document.response.supplementary) supplementary.add(file.sha256);
      const raised = reader.max(document.classification, minimum);
      if (raised === undefined || raised === document.classification) continue;
      await results.save(id, { ...document, classification: raised });
    }
    return supplementary;
  }

  /** Drops the trees and summaries that were kept of submissions. */
  async #dropDerived(sids: readonly string[]): Promise<void> {
    const { trees, summaries } = this.#dependencies;
    for (let at = 0; at < sids.length; at += BULK) {
      const prefixes = sids
        .slice(at, at + BULK)
        .map((sid): QueryNode => ({ kind: 'prefix', field: 'id', value: `${sid}_` }));
      const selection = { query: allOf(anyOf(...prefixes)) };
      await trees.deleteWhere(selection, { access: EVERYTHING });
      await summaries.deleteWhere(selection, { access: EVERYTHING });
    }
  }
}

/** Returns whether the deleted submission had lowered a file that the others would not have. */
function isRaised(reader: ClearedReader, current: string, deleted: string, remaining: string): boolean {
  if (current === remaining || reader.min(current, deleted) !== reader.min(deleted, deleted)) return false;
  return reader.max(current, remaining) === reader.max(remaining, remaining);
}

async function deleteAll<T>(collection: Collection<T>, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BULK) {
    await collection.bulk(ids.slice(at, at + BULK).map((id) => ({ kind: 'delete', id }) as const));
  }
}
