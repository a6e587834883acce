import { isDeepStrictEqual } from 'node:util';
import type { BulkItem, Collection } from '../../datastore/port/collection.ts';
import { throwBulkFailure } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type Heuristic, heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import type { ClassificationRules } from '../../documents/schema/field-spec.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { isTriadError, messageOf } from '../../errors/errors.ts';
import { invalidManifest } from './service-manifest.ts';

export interface HeuristicRegistrationDependencies {
  readonly heuristics: Collection<Heuristic>;
  readonly results: Pick<Collection<Result>, 'count'>;
  readonly classification: ClassificationRules;
}

const ACCESS = unrestricted('services bring heuristics of every classification');

/** Stores the heuristics that services bring. */
export class HeuristicRegistration {
  readonly #heuristics: Collection<Heuristic>;
  readonly #results: HeuristicRegistrationDependencies['results'];
  readonly #classification: ClassificationRules;

  constructor({ heuristics, results, classification }: HeuristicRegistrationDependencies) {
    this.#heuristics = heuristics;
    this.#results = results;
    this.#classification = classification;
  }

  /**
   * Reads the heuristics of a manifest without storing them.
   * @throws InvalidInput `invalid_manifest` that says which one is wrong
   */
  read(service: string, entries: readonly unknown[]): readonly Heuristic[] {
    const read = entries.map((entry, index) => this.#readOne(service, entry, index));
    const ids = new Set<string>();
    for (const { heur_id: id } of read) {
      if (ids.has(id)) throw invalidManifest(`${service} has two heuristics with the identifier ${id}.`, 'heuristics');
      ids.add(id);
    }
    return read;
  }

  /** Stores heuristics and keeps their statistics; returns the identifiers of new and changed ones. */
  async store(heuristics: readonly Heuristic[]): Promise<readonly string[]> {
    const stored = await this.#heuristics.getMany(
      heuristics.map((heuristic) => heuristic.heur_id),
      ACCESS,
    );
    const changed = heuristics.flatMap((heuristic, index): BulkItem<Heuristic>[] => {
      const before = stored[index];
      const document = before === undefined ? heuristic : { ...heuristic, stats: before.stats };
      return before !== undefined && isSameHeuristic(before, document)
        ? []
        : [{ kind: 'save', id: heuristic.heur_id, document }];
    });
    if (changed.length > 0) throwBulkFailure(await this.#heuristics.bulk(changed, { visible: 'now' }));
    return changed.map(({ id }) => id);
  }

  /** Deletes those of the service that are not among `kept`, and that no result refers to. */
  async deleteOthers(service: string, kept: readonly Heuristic[]): Promise<void> {
    const names = new Set(kept.map((heuristic) => heuristic.heur_id));
    for (const id of await this.idsOf(service)) {
      if (names.has(id)) continue;
      const query = { kind: 'term', field: 'result.sections.heuristic.heur_id', value: id } as const;
      if ((await this.#results.count({ query }, ACCESS)) > 0) continue;
      await this.#heuristics.delete(id, { visible: 'now' });
    }
  }

  /** Deletes all heuristics of a service. */
  async deleteAll(service: string): Promise<void> {
    const items = (await this.idsOf(service)).map((id) => ({ kind: 'delete', id }) as const);
    if (items.length > 0)
      throwBulkFailure(await this.#heuristics.bulk(items, { visible: 'now' }), ['document_missing']);
  }

  async idsOf(service: string): Promise<readonly string[]> {
    const prefix = `${service.toUpperCase()}.`;
    const query = { kind: 'prefix', field: 'heur_id', value: prefix } as const;
    const ids: string[] = [];
    for await (const { id } of this.#heuristics.stream({ query, fields: ['heur_id'] }, ACCESS)) {
      // `MY.1` belongs to the service `My`, `MY.OTHER.1` to `My.Other`.
      if (id.startsWith(prefix) && !id.slice(prefix.length).includes('.')) ids.push(id);
    }
    return ids;
  }

  #readOne(service: string, entry: unknown, index: number): Heuristic {
    const fail = (reason: string) =>
      invalidManifest(`${service} has an invalid heuristic (#${index}): ${reason}`, `heuristics.${index}`);
    if (!isObject(entry)) throw fail('it must be an object.');
    const { heur_id: id, attack_id: attack, ...others } = entry;
    if (!['string', 'number'].includes(typeof id) || !/^[\w-]{1,50}$/.test(String(id))) {
      throw fail('heur_id must be a number or a name of letters, digits, hyphens and underscores.');
    }
    const input = {
      ...others,
      attack_id: typeof attack === 'string' ? [attack] : attack,
      heur_id: `${service.toUpperCase()}.${id}`,
      stats: undefined,
    };
    try {
      const options = { unknown: 'drop', classification: this.#classification } as const;
      return readDocument(heuristicDocument, input, options).document;
    } catch (error) {
      if (!isTriadError(error)) throw error;
      throw fail(messageOf(error));
    }
  }
}

/** Compares without the hidden fields that a stored document has. */
function isSameHeuristic(left: Heuristic, right: Heuristic): boolean {
  return isDeepStrictEqual(toOutput(heuristicDocument, left), toOutput(heuristicDocument, right));
}
