import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { clearanceOf } from '../../identity/accounts/read-access.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { isEmptyResultKey } from '../result-views/empty-result.ts';
import { visibleContent } from '../result-views/format-result.ts';
import { loadResults } from '../result-views/load-results.ts';
import type { ResultContent } from '../result-views/result-content.ts';
import type { Verdicts } from '../result-views/verdicts.ts';
import { summarise } from '../submissions/submission-summary.ts';
import type { AlertSummary } from './alerter.ts';

export interface SubmissionSummariesDependencies {
  readonly results: Pick<Collection<Result>, 'getMany'>;
  readonly files: Pick<Collection<FileRecord>, 'getMany'>;
  readonly users: Pick<UserStore, 'recent'>;
  readonly classification: ClassificationEngine;
  readonly verdicts: Verdicts;
  readonly log: IdentityLog;
}

const ACCESS = unrestricted('the summary leaves out what its reader may not see');
/** Documents that one read loads. */
const CHUNK = 200;
/** Screenshots of one alert. */
const MAX_SCREENSHOTS = 100;

/** Summarises submissions with the clearance of their submitters. */
export class SubmissionSummaries {
  readonly #dependencies: SubmissionSummariesDependencies;

  constructor(dependencies: SubmissionSummariesDependencies) {
    this.#dependencies = dependencies;
  }

  async forSubmitter(submission: Submission): Promise<AlertSummary> {
    const { verdicts } = this.#dependencies;
    const reader = await this.#readerOf(submission.params.submitter);
    const keys = submission.results.filter((key) => !isEmptyResultKey(key));
    const results = await this.results(keys);
    const files = await this.#files([...new Set([...results.values()].map(({ sha256 }) => sha256))]);
    const lacksResults = results.size < keys.length;
    const content = summarise({ isCompleted: true, files, results, lacksResults, verdicts }, reader);
    const [root] = submission.files;
    const ofRoot = [...results.values()].filter(({ sha256 }) => sha256 === root?.sha256);
    const minimum = files.get(root?.sha256 ?? '')?.classification ?? submission.classification;
    const scores = new Map<string, number>();
    for (const result of content.filtered ? results.values() : []) {
      const file = files.get(result.sha256);
      if (file === undefined || !reader.sees(file.classification)) continue;
      const { score } = visibleContent(result, file.classification, reader);
      scores.set(result.sha256, (scores.get(result.sha256) ?? 0) + score);
    }
    return {
      content,
      score: Math.max(0, ...scores.values()),
      screenshots: ofRoot.flatMap((result) => screenshotsOf(result, minimum, reader)).slice(0, MAX_SCREENSHOTS),
    };
  }

  /** Returns stored results by key, without deleted ones and those beyond the limit. */
  async results(keys: readonly string[]): Promise<ReadonlyMap<string, ResultContent>> {
    return (await loadResults(this.#dependencies.results, keys, { access: ACCESS })).results;
  }

  async #files(hashes: readonly string[]): Promise<ReadonlyMap<string, { readonly classification: string }>> {
    return inChunks(hashes, (some) => this.#dependencies.files.getMany(some, ACCESS));
  }

  async #readerOf(username: string): Promise<ClearedReader> {
    const { users, classification, log } = this.#dependencies;
    const user = await users.recent(username);
    return new ClearedReader(
      classification,
      user === undefined ? classification.unrestricted : clearanceOf(user, classification, log),
    );
  }
}

async function inChunks<T>(
  ids: readonly string[],
  load: (ids: readonly string[]) => Promise<readonly (T | undefined)[]>,
): Promise<ReadonlyMap<string, T>> {
  const found = new Map<string, T>();
  for (let at = 0; at < ids.length; at += CHUNK) {
    const some = ids.slice(at, at + CHUNK);
    const documents = await load(some);
    for (const [index, id] of some.entries()) {
      const document = documents[index];
      if (document !== undefined) found.set(id, document);
    }
  }
  return found;
}

/** Returns the pictures that a service wants to be seen with an alert. */
function screenshotsOf(result: ResultContent, minimum: string, reader: ClearedReader): AlertSummary['screenshots'] {
  if (!reader.sees(minimum)) return [];
  return visibleContent(result, minimum, reader).sections.flatMap(({ section }) =>
    section.promote_to === 'SCREENSHOT' ? picturesOf(section.body) : [],
  );
}

function picturesOf(body: string | null | undefined): AlertSummary['screenshots'] {
  let pictures: unknown;
  try {
    pictures = JSON.parse(body ?? '[]');
  } catch {
    return [];
  }
  return (Array.isArray(pictures) ? pictures : []).flatMap((picture) => {
    const { img, thumb } = isObject(picture) ? picture : {};
    if (!isObject(img) || !isObject(thumb) || !isHash(img.sha256) || !isHash(thumb.sha256)) return [];
    const [name, description] = [img.name, img.description].map((text) => (typeof text === 'string' ? text : ''));
    return [
      { name: name || img.sha256, description: description || 'Screenshot', img: img.sha256, thumb: thumb.sha256 },
    ];
  });
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
