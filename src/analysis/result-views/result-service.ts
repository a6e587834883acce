import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { Forbidden, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayReadFromArchive } from '../archive-access/archive-roles.ts';
import { ClearedReader } from './cleared-reader.ts';
import { errorView } from './document-views.ts';
import { emptyResult, fileOfKey, isEmptyResultKey, serviceOfKey } from './empty-result.ts';
import { type FormattedResult, filesNamedBy, formatResult } from './format-result.ts';
import type { ResultContent } from './result-content.ts';

export interface ResultServiceDependencies {
  readonly results: Collection<Result>;
  readonly errors: Collection<ErrorRecord>;
  readonly files: Collection<FileRecord>;
  /** The registered services by name. */
  readonly services: ServiceLookup;
  readonly classification: ClassificationEngine;
  /** Days until an empty result expires. */
  readonly emptyResultDays: number;
  readonly now?: () => Date;
}

export interface ServiceLookup {
  get(name: string): Promise<{ readonly classification: string } | undefined>;
}

const EVERY_PART = unrestricted('results and errors are filtered by the classification of file, service and section');

/** Reads results and errors by their keys, as their reader may see them. */
export class ResultService {
  readonly #dependencies: ResultServiceDependencies;

  constructor(dependencies: ResultServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws NotFound `result_missing`, Forbidden `result_not_visible` */
  async result(actor: Actor, key: string): Promise<FormattedResult> {
    const { results } = await this.many(actor, { results: [key], errors: [] });
    const found = results.get(key);
    if (found !== undefined) return found;
    const stored = await this.#dependencies.results.get(key, EVERY_PART);
    if (stored === undefined || !mayReadFromArchive(actor, stored)) {
      throw new NotFound('result_missing', missingKey(key));
    }
    throw new Forbidden('result_not_visible', 'You are not allowed to view the results for this key');
  }

  /** Returns an error; undefined when it does not exist, or the actor may not see its file or service. */
  async error(actor: Actor, key: string): Promise<ErrorRecord | undefined> {
    const { errors } = await this.many(actor, { results: [], errors: [key] });
    return errors.get(key);
  }

  /** Returns those results and errors that the actor may see, by key. */
  async many(actor: Actor, keys: { readonly results: readonly string[]; readonly errors: readonly string[] }) {
    const reader = new ClearedReader(this.#dependencies.classification, actor.classification);
    const [results, errors] = [new Map<string, FormattedResult>(), new Map<string, ErrorRecord>()];
    const wanted = { results: new Set(keys.results), errors: new Set(keys.errors) };
    const files = await this.#visibleFiles([...wanted.results, ...wanted.errors], reader);
    const stored = (await this.#stored([...wanted.results])).filter(([, one]) => mayReadFromArchive(actor, one));
    reader.learn(await this.#dependencies.files.getMany(filesNamedBy(stored.map(([, result]) => result)), EVERY_PART));
    for (const [key, result] of stored) {
      const file = files.get(result.sha256);
      const formatted = file && formatResult(result, file.classification, reader, { hierarchy: true });
      if (formatted !== undefined) results.set(key, formatted);
    }
    const found = await this.#dependencies.errors.getMany([...wanted.errors], EVERY_PART);
    for (const [index, key] of [...wanted.errors].entries()) {
      const error = found[index];
      if (error === undefined || !files.has(fileOfKey(key) ?? '')) continue;
      if (await this.#seesService(reader, key)) errors.set(key, errorView(error));
    }
    return { results, errors };
  }

  /** Results of every classification, those that stand for nothing included. */
  async #stored(keys: readonly string[]): Promise<readonly (readonly [string, ResultContent])[]> {
    const { results, classification, emptyResultDays: days, now = () => new Date() } = this.#dependencies;
    const found = await results.getMany(keys, EVERY_PART);
    const options = { now: now(), days, unrestricted: classification.unrestricted };
    return keys.flatMap((key, index) => {
      const result = found[index] ?? (isEmptyResultKey(key) ? emptyResult(key, options) : undefined);
      return result === undefined ? [] : [[key, result] as const];
    });
  }

  async #visibleFiles(keys: readonly string[], reader: ClearedReader): Promise<ReadonlyMap<string, FileRecord>> {
    const hashes = [...new Set(keys.flatMap((key) => fileOfKey(key) ?? []))];
    const files = await this.#dependencies.files.getMany(hashes, EVERY_PART);
    const visible = files.filter((file) => file !== undefined && reader.sees(file.classification));
    return new Map(visible.flatMap((file) => (file === undefined ? [] : [[file.sha256, file] as const])));
  }

  async #seesService(reader: ClearedReader, key: string): Promise<boolean> {
    const name = serviceOfKey(key);
    const service = name === undefined ? undefined : await this.#dependencies.services.get(name);
    return service !== undefined && reader.sees(service.classification);
  }
}

/** Returns the refusal of a key in words that clients know. */
export function missingKey(key: string): string {
  return `Cache key ${key} does not exists.`;
}
