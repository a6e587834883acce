import type { ClassificationEngine } from '../../classification/classification.ts';
import { throwBulkFailure } from '../../datastore/bulk-failures.ts';
import { changeDocument } from '../../datastore/change-document.ts';
import { ABSENT, type Collection } from '../../datastore/collection.ts';
import { unrestricted } from '../../datastore/read-access.ts';
import type { UpdateOperation } from '../../datastore/update-operations.ts';
import { type Case, caseDocument } from '../../documents/case.ts';
import { formatDate } from '../../documents/date-values.ts';
import type { Hit } from '../../documents/hit.ts';
import { toOutput } from '../../documents/output.ts';
import { readDocument } from '../../documents/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { mayClassify } from '../../identity/classified-collection.ts';
import { type CaseItem, gatheredFrom, itemsOf } from './case-items.ts';

export interface CaseStoreParts {
  cases: Collection<Case>;
  hits: Collection<Hit>;
  classification: ClassificationEngine;
  clock: () => Date;
}

export type Visible = 'now' | 'soon';

export interface NewCase {
  readonly title: string;
  readonly summary: string;
  readonly classification: string;
}

/** Somebody else deleted it meanwhile, which leaves nothing to do. */
const MAY_BE_GONE = ['document_missing'];
const NOTHING_HIDDEN = unrestricted('a case is kept in step with all of its records, whoever changes it');

/**
 * Cases and the alerts in them. A case lists its alerts as items; each alert lists its cases in `howler.related`. Here both sides
 * are written together.
 */
export class CaseStore {
  readonly #parts: CaseStoreParts;

  constructor(parts: CaseStoreParts) {
    this.#parts = parts;
  }

  /** Undefined when there is none that the actor may see. */
  async get(actor: Actor, id: string): Promise<Case | undefined> {
    return this.#shown(await this.#parts.cases.get(id, actor.readAccess));
  }

  /** Those of the cases that exist, whoever may see them. */
  async getAll(ids: readonly string[]): Promise<readonly Case[]> {
    const found = await this.#parts.cases.getMany(ids, NOTHING_HIDDEN);
    return found.flatMap((document) => this.#shown(document) ?? []);
  }

  /**
   * Makes a case with items, and writes the back-references of their alerts.
   * @throws InvalidInput `classification_too_high`, when the actor may not see it, `item_above_case`, `invalid_document`
   */
  async create(actor: Actor, input: NewCase, items: readonly CaseItem[], visible: Visible): Promise<Case> {
    const { cases, classification, clock } = this.#parts;
    if (!mayClassify(actor, classification, input.classification)) {
      throw new InvalidInput(
        'classification_too_high',
        `User cannot create case at classification ${input.classification}`,
        { at: 'classification' },
      );
    }
    this.refuseItemsAbove(input.classification, items);
    const now = clock();
    const hits = await this.#hitsOf(items);
    const log = [{ timestamp: formatDate(now), explanation: 'Case created', user: actor.username }];
    const { document } = readDocument(
      caseDocument,
      { ...input, items, log, ...gatheredFrom(hits) },
      { unknown: 'refuse', classification, now },
    );
    await cases.save(document.case_id, document, { ifVersion: ABSENT, visible });
    await this.#refer(actor, document.case_id, hits, visible);
    return document;
  }

  /**
   * Adds items to a case. `check` sees the case as it is when they are added and may throw.
   * @throws InvalidInput `item_above_case`
   */
  async addItems(
    actor: Actor,
    id: string,
    items: readonly CaseItem[],
    visible: Visible,
    check: (present: Case) => void = () => {},
  ): Promise<Case | undefined> {
    const changed = await this.#changeItems(actor, id, visible, (present) => {
      check(present);
      this.refuseItemsAbove(present.classification, items);
      return [...itemsOf(present), ...items];
    });
    if (changed) await this.#refer(actor, id, await this.#hitsOf(items), visible);
    return changed;
  }

  /** Removes the items that `remove` chooses, and the back-references of their alerts. */
  async removeItems(
    actor: Actor,
    id: string,
    remove: (item: CaseItem) => boolean,
    visible: Visible,
  ): Promise<Case | undefined> {
    let removed: readonly CaseItem[] = [];
    const changed = await this.#changeItems(actor, id, visible, (present) => {
      removed = itemsOf(present).filter(remove);
      return itemsOf(present).filter((item) => !removed.includes(item));
    });
    await this.#unrefer(actor, id, await this.#hitsOf(removed), visible);
    return changed;
  }

  /**
   * Deletes those of the cases that exist and that the actor may find, with every reference to them in other cases and in alerts.
   * @returns how many there were
   */
  async delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    const { cases, hits } = this.#parts;
    const found = await cases.getMany(ids, actor.searchAccess);
    const present = found.flatMap((document) => (document ? [document.case_id] : []));
    if (present.length === 0) return 0;
    const referring = cases.stream(
      { query: { kind: 'terms', field: 'items.value', values: present.map((id) => id.toLowerCase()) } },
      NOTHING_HIDDEN,
    );
    for await (const { id } of referring) {
      if (present.includes(id)) continue;
      await this.removeItems(actor, id, (item) => item.type === 'case' && present.includes(item.value), visible);
    }
    const results = await cases.bulk(
      present.map((id) => ({ kind: 'delete', id })),
      { visible },
    );
    throwBulkFailure(results, MAY_BE_GONE);
    const operations = present.map((value): UpdateOperation => ({ op: 'remove', path: 'howler.related', value }));
    const query = { kind: 'terms', field: 'howler.related', values: present } as const;
    await hits.updateWhere({ query }, operations, { access: NOTHING_HIDDEN, visible });
    return present.length;
  }

  /** @throws InvalidInput `item_above_case`, when an item is classified above its case */
  refuseItemsAbove(classification: string, items: readonly CaseItem[]): void {
    const engine = this.#parts.classification;
    const above = items.find((item) => !engine.isAccessible(classification, item.classification, true));
    if (above === undefined) return;
    throw new InvalidInput(
      'item_above_case',
      `Cannot add ${above.type} at classification ${above.classification} to case at classification ${classification}`,
    );
  }

  async #changeItems(
    actor: Actor,
    id: string,
    visible: Visible,
    change: (present: Case) => CaseItem[],
  ): Promise<Case | undefined> {
    const changed = await changeDocument(
      this.#parts.cases,
      id,
      async (stored) => {
        const items = change(toOutput(caseDocument, stored));
        return { ...stored, items, ...gatheredFrom(await this.#hitsOf(items)) };
      },
      { access: actor.readAccess, visible },
    );
    return this.#shown(changed?.document);
  }

  async #hitsOf(items: readonly CaseItem[]): Promise<readonly Hit[]> {
    const ids = items.filter((item) => item.type === 'hit').map((item) => item.value);
    if (ids.length === 0) return [];
    const found = await this.#parts.hits.getMany(ids, NOTHING_HIDDEN);
    return found.filter((hit) => hit !== undefined);
  }

  async #refer(actor: Actor, id: string, hits: readonly Hit[], visible: Visible): Promise<void> {
    const unaware = hits.filter((hit) => !(hit.howler.related ?? []).includes(id));
    await this.#writeReferences(actor, unaware, `Added to case ${id}`, 'append_missing', id, visible);
  }

  async #unrefer(actor: Actor, id: string, hits: readonly Hit[], visible: Visible): Promise<void> {
    const aware = hits.filter((hit) => (hit.howler.related ?? []).includes(id));
    await this.#writeReferences(actor, aware, `Removed from case ${id}`, 'remove', id, visible);
  }

  async #writeReferences(
    actor: Actor,
    hits: readonly Hit[],
    explanation: string,
    op: 'append_missing' | 'remove',
    id: string,
    visible: Visible,
  ): Promise<void> {
    if (hits.length === 0) return;
    const value = { timestamp: formatDate(this.#parts.clock()), user: actor.username, explanation };
    const operations: readonly UpdateOperation[] = [
      { op, path: 'howler.related', value: id },
      { op: 'append', path: 'howler.log', value },
    ];
    const results = await this.#parts.hits.bulk(
      hits.map((hit) => ({ kind: 'update', id: hit.howler.id, operations })),
      { visible },
    );
    throwBulkFailure(results, MAY_BE_GONE);
  }

  #shown(stored: Case | undefined): Case | undefined {
    return stored && toOutput(caseDocument, stored);
  }
}
