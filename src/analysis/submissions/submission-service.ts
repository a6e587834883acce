import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { UpdateOperation } from '../../datastore/port/update-operations.ts';
import type { AnalysisAlert } from '../../documents/kinds/analysis/alert.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { Conflict, Forbidden, InvalidInput, isTriadError, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { errorView, fileView } from '../result-views/document-views.ts';
import { emptyResult, fileOfKey, isEmptyResultKey } from '../result-views/empty-result.ts';
import { analyseFile } from '../result-views/file-analysis.ts';
import { fileMetadata } from '../result-views/file-metadata.ts';
import { type FormattedResult, formatResult } from '../result-views/format-result.ts';
import type { ResultContent } from '../result-views/result-content.ts';
import type { Verdicts } from '../result-views/verdicts.ts';
import type { DerivedDocuments } from './derived-documents.ts';
import { type SubmissionTree, treeNodes } from './file-tree.ts';
import { reportView } from './report-view.ts';
import type { OpenedSubmission, SubmissionContents } from './submission-contents.ts';
import { submissionView } from './submission-view.ts';
import { type SummaryTagTypes, summaryView } from './summary-view.ts';

export interface SubmissionServiceDependencies {
  readonly contents: SubmissionContents;
  readonly derived: DerivedDocuments;
  readonly submissions: Collection<Submission>;
  readonly alerts: Collection<AnalysisAlert>;
  readonly settings: {
    readonly tag_types: SummaryTagTypes;
    readonly verdicts: Verdicts;
    readonly emptyresult_dtl: number;
  };
  readonly now?: () => Date;
}

const VERDICTS = { malicious: 'non_malicious', non_malicious: 'malicious' } as const;
const FAILURE = { success: false };
const OF_ALERTS = unrestricted('alerts of a submission follow its verdict');

export interface TreeOptions {
  /** Lists a file under each of its parents. */
  readonly everyParent: boolean;
}

/** Reads and judges submissions. Every method acts as `actor` and shows what they may see of it. */
export class SubmissionService {
  readonly #dependencies: SubmissionServiceDependencies;

  constructor(dependencies: SubmissionServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the document of a submission, without the keys of files that the actor may not see. */
  async get(actor: Actor, sid: string) {
    const opened = await this.#open(actor, sid);
    const { submission } = opened;
    const [results, errors] = [
      await opened.visibleKeys(submission.results),
      await opened.visibleKeys(submission.errors),
    ];
    const traces = await opened.visibleTraces();
    const view = submissionView({ ...submission, results: [...results], errors: [...errors], tracing_events: traces });
    const isCounted = submission.state === 'completed' && opened.reader.isRestricted;
    if (!isCounted) return view;
    return { ...view, ...visibleCounts(opened, await this.#dependencies.derived.tree(opened), errors.length) };
  }

  /** @throws NotFound `submission_missing`, also when the actor may not see it */
  async isCompleted(actor: Actor, sid: string): Promise<boolean> {
    const { submission } = await this.#open(actor, sid).catch((error: unknown) => {
      if (!isTriadError(error) || error.code !== 'submission_not_visible') throw error;
      throw new NotFound('submission_missing', `Submission ID ${sid} does not exists.`);
    });
    return submission.state === 'completed';
  }

  async tree(actor: Actor, sid: string, options: TreeOptions) {
    return await this.#dependencies.derived.tree(await this.#open(actor, sid), options);
  }

  async summary(actor: Actor, sid: string) {
    const opened = await this.#open(actor, sid);
    const content = await this.#dependencies.derived.summary(opened);
    return summaryView(content, this.#dependencies.settings.tag_types, opened.reader);
  }

  /** Returns a submission with its files, results and errors. */
  async full(actor: Actor, sid: string, options: TreeOptions) {
    const opened = await this.#open(actor, sid);
    const { submission, reader } = opened;
    const { tree, filtered } = await this.#dependencies.derived.tree(opened, options);
    const { files } = await opened.contents();
    const shown = new Set([...treeNodes(tree)].map(({ sha256 }) => sha256));
    const keys = await opened.visibleKeys(submission.results);
    const { results, missing } = await this.#formatted(opened, keys, (sha256) => shown.has(sha256));
    const { errors, missing: missingErrors } = await opened.errors();
    const view = submissionView({ ...submission, tracing_events: await opened.visibleTraces() });
    const infos = [...shown].flatMap((sha256) => files.get(sha256) ?? []);
    const classifications = [...results.values(), ...infos].map(({ classification }) => classification);
    return {
      ...view,
      ...visibleCounts(opened, { tree, filtered }, errors.size),
      classification: reader.top(classifications, submission.classification),
      errors: Object.fromEntries([...errors].map(([key, error]) => [key, errorView(error)])),
      file_infos: Object.fromEntries(infos.map((file) => [file.sha256, fileView(file)])),
      file_tree: tree,
      missing_error_keys: missingErrors,
      missing_file_keys: [...shown].filter((sha256) => !files.has(sha256)),
      missing_result_keys: missing,
      results: Object.fromEntries(results),
    };
  }

  /** @throws Conflict `submission_incomplete` while it is under way */
  async report(actor: Actor, sid: string, options: TreeOptions) {
    const opened = await this.#open(actor, sid);
    const { submission, reader } = opened;
    if (submission.state !== 'completed') {
      const message = `It is too early to generate the report. Submission ID ${sid} is incomplete.`;
      throw new Conflict('submission_incomplete', message);
    }
    const { derived, settings } = this.#dependencies;
    const tree = await derived.tree(opened, options);
    const summary = await derived.summary(opened);
    const submitted = submission.files[0]?.sha256;
    const { files } = await opened.contents();
    const file = submitted === undefined ? undefined : files.get(submitted);
    const ofSubmitted = submission.results.filter((key) => fileOfKey(key) === submitted && !isEmptyResultKey(key));
    const { results } = await this.#formatted(opened, ofSubmitted, () => true);
    const errors = await opened.visibleKeys(submission.errors);
    const traces = await opened.visibleTraces();
    const { errors: _errors, results: _results, ...view } = submissionView({ ...submission, tracing_events: traces });
    return {
      ...view,
      ...visibleCounts(opened, tree, errors.length),
      ...reportView({ summary, tree: tree.tree, types: settings.tag_types, submitted, results: [...results.values()] }),
      classification: reader.top([tree.classification, summary.classification], submission.classification),
      file_info: file !== undefined && reader.sees(file.classification) ? fileView(file) : null,
      file_tree: tree.tree,
      params: {
        ...view.params,
        services: { ...view.params.services, errors: [...new Set(errors.map((key) => key.split('.')[1] ?? ''))] },
      },
      report_filtered: tree.filtered || summary.filtered,
      ...(summary.partial ? { report_partial: true } : {}),
    };
  }

  /**
   * Returns what the services said of one file of a submission.
   * @param extra keys beside those of the submission, which count while it is under way
   * @throws NotFound `file_missing`, Forbidden `file_not_visible`
   */
  async file(actor: Actor, sid: string, sha256: string, extra: ExtraKeys = NO_KEYS) {
    const opened = await this.#open(actor, sid);
    const { submission, reader } = opened;
    const file = await this.#dependencies.contents.file(sha256);
    if (file === undefined) throw missingFile(sha256, reader.unrestricted);
    if (!reader.sees(file.classification)) {
      throw new Forbidden('file_not_visible', 'You are not allowed to view the data of this file');
    }
    const counted = submission.state === 'completed' ? NO_KEYS : extra;
    const isOfFile = (key: string) => fileOfKey(key) === sha256;
    const keys = [...new Set([...submission.results, ...counted.results])].filter(isOfFile);
    const errorKeys = [...new Set([...submission.errors, ...counted.errors])].filter(isOfFile);
    const [stored, { errors }, metadata] = await Promise.all([
      this.#dependencies.contents.results(keys),
      opened.errors(errorKeys),
      fileMetadata(this.#dependencies.submissions, sha256, actor.searchAccess),
    ]);
    reader.learn(await this.#dependencies.contents.filesOf(stored.values()));
    const results = keys
      .map((key) => stored.get(key) ?? this.#empty(opened, key))
      .flatMap((result) => (result && formatResult(result, file.classification, reader, { hierarchy: true })) ?? []);
    const { verdicts } = this.#dependencies.settings;
    return {
      classification: reader.top(
        results.map(({ classification }) => classification),
        file.classification,
      ),
      file_info: fileView(file),
      results,
      errors: [...errors.values()].map(errorView),
      metadata,
      ...analyseFile(results, { verdicts, reader, tagRows: 'value' }),
    };
  }

  /**
   * Records the verdict of the actor, also in alerts of the submission. Withdraws an opposite one.
   * @throws InvalidInput `invalid_verdict`, NotFound `submission_missing`, Forbidden `submission_not_visible`
   */
  async judge(actor: Actor, sid: string, verdict: string): Promise<void> {
    if (verdict !== 'malicious' && verdict !== 'non_malicious') {
      throw new InvalidInput('invalid_verdict', `'${verdict}' is not a valid verdict.`, { response: FAILURE });
    }
    await this.#dependencies.contents.open(actor, sid).catch((error: unknown) => {
      if (!isTriadError(error)) throw error;
      if (error.kind === 'not_found') {
        const message = `There are no submission with id: ${sid}`;
        throw new NotFound('submission_missing', message, { response: FAILURE });
      }
      const message = `You are not allowed to give verdict on submission with ID: ${sid}`;
      throw new Forbidden('submission_not_visible', message, { response: FAILURE });
    });
    const { submissions, alerts } = this.#dependencies;
    const { username: value } = actor;
    const operations: UpdateOperation[] = [
      { op: 'remove', path: `verdict.${verdict}`, value },
      { op: 'append', path: `verdict.${verdict}`, value },
      { op: 'remove', path: `verdict.${VERDICTS[verdict]}`, value },
    ];
    await submissions.update(sid, operations);
    const ofSubmission = { query: { kind: 'term', field: 'sid', value: sid } } as const;
    await alerts.updateWhere(ofSubmission, operations, { access: OF_ALERTS });
  }

  #open(actor: Actor, sid: string): Promise<OpenedSubmission> {
    return this.#dependencies.contents.open(actor, sid);
  }

  /** Formats results of files that `isShown` names; lists the keys of those that do not exist. */
  async #formatted(opened: OpenedSubmission, keys: readonly string[], isShown: (sha256: string) => boolean) {
    const { files, results: stored } = await opened.contents();
    const results = new Map<string, FormattedResult>();
    const missing: string[] = [];
    for (const key of keys) {
      const result = stored.get(key) ?? this.#empty(opened, key);
      if (result === undefined) missing.push(key);
      const file = result && files.get(result.sha256);
      if (result === undefined || file === undefined || !isShown(result.sha256)) continue;
      const formatted = formatResult(result, file.classification, opened.reader);
      if (formatted !== undefined) results.set(key, formatted);
    }
    return { results, missing };
  }

  #empty({ reader }: OpenedSubmission, key: string): ResultContent | undefined {
    const { settings, now = () => new Date() } = this.#dependencies;
    return emptyResult(key, { now: now(), days: settings.emptyresult_dtl, unrestricted: reader.unrestricted });
  }
}

/** Keys that the live page of a submission knows before the submission does. */
export interface ExtraKeys {
  readonly results: readonly string[];
  readonly errors: readonly string[];
}

const NO_KEYS: ExtraKeys = { results: [], errors: [] };

function missingFile(sha256: string, classification: string): NotFound {
  const nothing = { results: [], tags: {}, errors: [], attack_matrix: {}, heuristics: {}, signatures: [] };
  return new NotFound('file_missing', 'The file you are trying to view is missing from the system', {
    response: { classification, file_info: { sha256 }, ...nothing, missing: true },
  });
}

/** Returns the counts of what the reader sees, where they differ from those for every reader. */
function visibleCounts(
  { submission, reader }: OpenedSubmission,
  { tree, filtered }: Pick<SubmissionTree, 'tree' | 'filtered'>,
  errors: number,
) {
  if (!reader.isRestricted) return {};
  const nodes = [...treeNodes(tree)];
  const counts = {
    error_count: errors,
    file_count: new Set(nodes.map(({ sha256 }) => sha256)).size,
    max_score: Math.max(0, ...nodes.map(({ score }) => score)),
  };
  const seesMore = counts.file_count > submission.file_count || counts.max_score > Math.max(0, submission.max_score);
  return filtered || seesMore ? counts : {};
}
