import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { Submission } from '../../documents/kinds/analysis/submission.ts';
import type { EarlierSteps } from '../dispatching/progress/submission-machine.ts';
import { emptySummary } from './result-cache.ts';
import { isEmptyKey } from './result-keys.ts';
import { summaryOf } from './result-summary.ts';
import { storedTags } from './section-tags.ts';

export interface EarlierStepsDependencies {
  readonly results: Pick<Collection<Result>, 'getMany'>;
  readonly errors: Pick<Collection<ErrorRecord>, 'getMany'>;
  readonly classification: ClassificationEngine;
  readonly services: { all(): Promise<readonly { readonly name: string }[]> };
}

type ResultStep = EarlierSteps['results'][number];

/** Documents that are read at once, so that others are served in between. */
const CHUNK = 100;
const ACCESS = unrestricted('the dispatcher continues submissions of every classification');

/** Reads the results and errors that an imported submission has before it is analysed. */
export class EarlierStepReader {
  readonly #dependencies: EarlierStepsDependencies;

  constructor(dependencies: EarlierStepsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the steps, those of parents before those of their children; undefined: there are none. */
  async stepsOf({ results: keys, errors, files, ...submission }: Submission): Promise<EarlierSteps | undefined> {
    if (keys.length === 0 && errors.length === 0) return undefined;
    const { classification } = this.#dependencies;
    const names = new Map((await this.#dependencies.services.all()).map(({ name }) => [keyPart(name), name]));
    const steps: ResultStep[] = [];
    for (const key of keys.filter(isEmptyKey)) {
      const [sha256 = '', service = '', version = ''] = key.split('.');
      const summary = emptySummary(key, version.slice(1), undefined);
      steps.push({ sha256, service: names.get(service) ?? service, summary });
    }
    const full = keys.filter((key) => !isEmptyKey(key));
    for await (const [key, result] of chunked(this.#dependencies.results, full)) {
      const stored = summaryOf(key, result, { classification, minimum: submission.classification });
      const summary = { ...stored, tags: storedTags(result) };
      steps.push({ sha256: result.sha256, service: result.response.service_name, summary });
    }
    const failures: { sha256: string; service: string; key: string }[] = [];
    for await (const [key, { sha256, response }] of chunked(this.#dependencies.errors, errors)) {
      failures.push({ sha256, service: response.service_name, key });
    }
    return { results: parentsFirst(steps, files[0]?.sha256), errors: failures };
  }
}

/** Names of services stand in keys without dots. */
function keyPart(name: string): string {
  return name.replaceAll('.', '_');
}

async function* chunked<T>(
  collection: Pick<Collection<T>, 'getMany'>,
  keys: readonly string[],
): AsyncGenerator<readonly [key: string, document: T]> {
  for (let at = 0; at < keys.length; at += CHUNK) {
    const some = keys.slice(at, at + CHUNK);
    const documents = await collection.getMany(some, ACCESS);
    for (const [index, key] of some.entries()) {
      const document = documents[index];
      if (document !== undefined) yield [key, document];
    }
  }
}

/** Orders steps by the files; those of files that nothing extracted are left out. */
function parentsFirst(steps: readonly ResultStep[], root: string | undefined): readonly ResultStep[] {
  const byFile = Map.groupBy(steps, ({ sha256 }) => sha256);
  const files = new Set(root === undefined ? [] : [root]);
  const ordered: ResultStep[] = [];
  for (const sha256 of files) {
    for (const step of byFile.get(sha256) ?? []) {
      ordered.push(step);
      for (const child of step.summary.children) files.add(child.sha256);
    }
  }
  return ordered;
}
