import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { SubmissionSummary } from '../../documents/kinds/analysis/submission-summary.ts';
import type { SubmissionTree as CachedTree } from '../../documents/kinds/analysis/submission-tree.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { parseJson } from '../../json/lossless-json.ts';
import { sortedJson } from '../../json/sorted-json.ts';
import type { Verdicts } from '../result-views/verdicts.ts';
import { buildFileTree, type FileTree, type SubmissionTree, treeNodes } from './file-tree.ts';
import type { OpenedSubmission } from './submission-contents.ts';
import { type SummaryContent, summarise } from './submission-summary.ts';

/** The collections stamp what they store. */
export interface DerivedDocumentsDependencies {
  readonly trees: Collection<CachedTree>;
  readonly summaries: Collection<SubmissionSummary>;
  readonly settings: {
    readonly max_extraction_depth: number;
    readonly verdicts: Verdicts;
  };
  /** Days that trees and summaries are kept. */
  readonly cacheDays: number;
  readonly now?: () => Date;
}

const DAY = 86_400_000;
const CACHED = unrestricted('the key of a cached tree or summary has the clearance that it was made for');
/** Largest JSON of a cached document, in characters. Larger ones are made each time. */
const MAX_CACHED_LENGTH = 1_000_000;

/** Makes trees and summaries of submissions, and keeps those that are complete. */
export class DerivedDocuments {
  readonly #dependencies: DerivedDocumentsDependencies;

  constructor(dependencies: DerivedDocumentsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param everyParent lists a file under each of its parents; never taken from the cache */
  async tree(opened: OpenedSubmission, { everyParent = false } = {}): Promise<SubmissionTree> {
    const { submission, reader } = opened;
    const key = `${submission.sid}_${reader.cacheKey}_supp`;
    const isCompleted = submission.state === 'completed';
    const cached = everyParent || !isCompleted ? undefined : await this.#cachedTree(key, opened);
    if (cached !== undefined) return cached;
    const { files, results, missingResults } = await opened.contents();
    const { max_extraction_depth: maxDepth } = this.#dependencies.settings;
    const lacksResults = missingResults.length > 0;
    const roots = submission.files;
    const tree = buildFileTree({ roots, isCompleted, files, results, lacksResults, maxDepth, everyParent }, reader);
    if (!tree.partial && !everyParent) await this.#keepTree(key, tree);
    return tree;
  }

  async summary(opened: OpenedSubmission): Promise<SummaryContent> {
    const { submission, reader } = opened;
    const { verdicts } = this.#dependencies.settings;
    const { malicious, highly_suspicious: high, suspicious, info } = verdicts;
    const key = `${submission.sid}_${reader.cacheKey}_m${malicious}_hs${high}_s${suspicious}_i${info}_`;
    const isCompleted = submission.state === 'completed';
    const cached = isCompleted ? await this.#dependencies.summaries.get(key, CACHED) : undefined;
    if (cached !== undefined) return readSummary(cached);
    const { files, results, missingResults } = await opened.contents();
    const lacksResults = missingResults.length > 0;
    const summary = summarise({ isCompleted, files, results, lacksResults, verdicts }, reader);
    if (!summary.partial) await this.#keepSummary(key, summary);
    return summary;
  }

  async #cachedTree(key: string, { submission }: OpenedSubmission): Promise<SubmissionTree | undefined> {
    const cached = await this.#dependencies.trees.get(key, CACHED);
    if (cached === undefined) return undefined;
    const tree = parseJson(cached.tree) as FileTree;
    // An older tree may lack what a later service run added under the same submission.
    const nodes = [...treeNodes(tree)];
    const files = new Set(submission.results.map((result) => result.slice(0, 64)));
    const highest = Math.max(0, ...nodes.map(({ score }) => score));
    if (new Set(nodes.map(({ sha256 }) => sha256)).size < files.size || highest < submission.max_score)
      return undefined;
    return {
      tree,
      classification: cached.classification,
      filtered: cached.filtered,
      partial: false,
      supplementary: parseJson(cached.supplementary) as string[],
    };
  }

  async #keepTree(key: string, { tree, supplementary, classification, filtered }: SubmissionTree): Promise<void> {
    const { trees } = this.#dependencies;
    const document = {
      ...this.#ends,
      classification,
      filtered,
      tree: sortedJson(tree),
      supplementary: sortedJson(supplementary),
    };
    if (document.tree.length + document.supplementary.length > MAX_CACHED_LENGTH) return;
    await trees.save(key, document);
  }

  async #keepSummary(key: string, summary: SummaryContent): Promise<void> {
    const { summaries } = this.#dependencies;
    const { classification, filtered } = summary;
    const texts = {
      tags: sortedJson(summary.tags),
      attack_matrix: sortedJson(summary.attack_matrix),
      heuristics: sortedJson(summary.heuristics),
      heuristic_sections: sortedJson(summary.heuristic_sections),
      heuristic_name_map: sortedJson(summary.heuristic_name_map),
    };
    if (Object.values(texts).reduce((sum, { length }) => sum + length, 0) > MAX_CACHED_LENGTH) return;
    await summaries.save(key, { ...this.#ends, classification, filtered, ...texts });
  }

  get #ends() {
    const now = this.#dependencies.now?.() ?? new Date();
    return { expiry_ts: formatDate(new Date(now.getTime() + this.#dependencies.cacheDays * DAY)) };
  }
}

function readSummary(cached: SubmissionSummary): SummaryContent {
  return {
    tags: parseJson(cached.tags) as SummaryContent['tags'],
    attack_matrix: parseJson(cached.attack_matrix) as SummaryContent['attack_matrix'],
    heuristics: parseJson(cached.heuristics) as SummaryContent['heuristics'],
    heuristic_sections: parseJson(cached.heuristic_sections) as SummaryContent['heuristic_sections'],
    heuristic_name_map: parseJson(cached.heuristic_name_map) as SummaryContent['heuristic_name_map'],
    classification: cached.classification,
    filtered: cached.filtered,
    partial: false,
  };
}
