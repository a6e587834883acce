import { throwBulkFailure, type Versioned, type Visible } from '../../datastore/port/collection.ts';
import { anyOf } from '../../datastore/port/query-tree.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { readCaseChange, withAuthors } from './case-changes.ts';
import { type CaseContext, placeItem } from './case-item-placement.ts';
import { type CaseItem, isRecordItem, itemsOf, logEntry } from './case-items.ts';
import { ALL_CASES, type CaseChange, mentions } from './case-store.ts';
import { PlacedItems } from './placed-items.ts';

type Input = Readonly<Record<string, unknown>>;

/** Manages cases. Every method acts as `actor`; cases above their classification do not exist. */
export class CaseService {
  readonly #context: CaseContext;

  constructor(context: CaseContext) {
    this.#context = context;
  }

  /**
   * Creates a case, with the items of the member `items`, or nothing; folders precede what lies in them.
   * @throws InvalidInput `invalid_document`, `invalid_body`; Forbidden `classification_too_high`; and as `placeItem`
   */
  async create(actor: Actor, input: Input, visible: Visible): Promise<Case> {
    const { cases, classification } = this.#context;
    const { items: inputs = [], case_id: _ignored, ...rest } = input;
    if (!Array.isArray(inputs)) throw new InvalidInput('invalid_body', "'items' must be a list.", { at: 'items' });
    const given = cases.read(rest);
    const draft = { ...given, rules: withAuthors(given.rules, actor.username, []) };
    if (!mayClassify(actor, classification, draft.classification)) {
      const message = `User cannot create case at classification ${draft.classification}`;
      throw new Forbidden('classification_too_high', message, { at: 'classification' });
    }
    const items = new PlacedItems([]);
    for (const one of inputs) items.add(await placeItem(this.#context, actor, draft, items, one));
    return cases.create(actor, draft, items.all, visible);
  }

  /** @throws NotFound `case_missing` */
  async get(actor: Actor, id: string): Promise<Versioned<Case>> {
    const found = await this.#context.cases.getVersioned(actor, id);
    if (!found) throw new NotFound('case_missing', 'Case does not exist');
    return found;
  }

  /**
   * Changes members of a case, each with an entry in its log; lists are replaced.
   * @param ifVersion changes that version alone. Default: the present one
   * @throws NotFound `case_missing`; Conflict `version_conflict`; InvalidInput `case_items_elsewhere`, `case_member_fixed`, `unknown_field`, `invalid_document`;
   * Forbidden `classification_too_high`, `item_above_case`
   */
  async update(
    actor: Actor,
    id: string,
    change: Input,
    visible: Visible,
    ifVersion?: string,
  ): Promise<Versioned<Case>> {
    const { cases, classification } = this.#context;
    const plan = async (present: Case): Promise<CaseChange> => {
      const members = readCaseChange(present, change, actor.username, classification);
      const { classification: wanted } = members;
      if (wanted === undefined) return members;
      this.#rejectClassification(actor, present, wanted);
      if (!itemsOf(present).some(isRecordItem)) return members;
      return { ...(await cases.gathered({ ...present, classification: wanted })), ...members };
    };
    const changed = await cases.change(actor, id, visible, plan, ifVersion);
    if (!changed) throw new NotFound('case_missing', `Case ${id} does not exist`);
    const { document } = changed;
    if ('classification' in change) {
      await cases.reclassify({ type: 'case', id, classification: document.classification }, [], visible);
    }
    return changed;
  }

  /** Hides those of the cases that the actor may see, and items for them. Not reported. Returns how many. */
  async hide(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    const { cases } = this.#context;
    const found = await cases.collection.getMany([...new Set(ids)], actor.readAccess);
    const hidden = found.flatMap((document) => (document ? [document.case_id] : []));
    const isConcerned = (item: CaseItem) => item.visible && refersTo(item, hidden);
    await this.#changeReferring(hidden, isConcerned, visible, (present) => {
      const names = itemsOf(present).flatMap((item) => (isConcerned(item) ? [item.value] : []));
      return {
        items: itemsOf(present).map((item) => (isConcerned(item) ? { ...item, visible: false } : item)),
        log: [...(present.log ?? []), logEntry(actor, `Referenced case(s) hidden: ${names.join(', ')}`)],
      };
    });
    for (const id of hidden) {
      const hide = ({ log }: Case) => ({ visible: false, log: [...(log ?? []), logEntry(actor, 'Case hidden')] });
      await cases.changeQuietly(actor.readAccess, id, visible, hide);
    }
    return hidden.length;
  }

  /** Deletes cases that the actor may find, and every reference. Not reported. Returns how many. */
  async delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    const { collection, records } = this.#context.cases;
    const found = await collection.getMany([...new Set(ids)], actor.searchAccess);
    const present = found.flatMap((document) => (document ? [document.case_id] : []));
    if (present.length === 0) return 0;
    const isConcerned = (item: CaseItem) => refersTo(item, present);
    const without = (referring: Case) => ({ items: itemsOf(referring).filter((item) => !isConcerned(item)) });
    await this.#changeReferring(present, isConcerned, visible, without);
    const deletions = present.map((id) => ({ kind: 'delete', id }) as const);
    const results = await collection.bulk(deletions, { visible });
    throwBulkFailure(results, ['document_missing']);
    await records.forget(present, visible);
    return present.length;
  }

  /** Changes every other case with an item for one of the cases `ids`, regardless of who may see it. */
  async #changeReferring(
    ids: readonly string[],
    isConcerned: (item: CaseItem) => boolean,
    visible: Visible,
    change: (present: Case) => CaseChange,
  ): Promise<void> {
    if (ids.length === 0) return;
    const { cases } = this.#context;
    const query = anyOf(...ids.map(mentions));
    for await (const { id, document } of cases.collection.stream({ query, fields: ['items'] }, ALL_CASES)) {
      if (ids.includes(id) || !itemsOf(document).some(isConcerned)) continue;
      await cases.changeQuietly(ALL_CASES, id, visible, change);
    }
  }

  #rejectClassification(actor: Actor, present: Case, wanted: string): void {
    const engine = this.#context.classification;
    if (!mayClassify(actor, engine, wanted)) {
      const message = `Cannot set case to invalid classification for user ${actor.username}`;
      throw new Forbidden('classification_too_high', message, { at: 'classification' });
    }
    const markings = itemsOf(present).flatMap((item) => item.classification ?? []);
    if (markings.every((marking) => engine.isAccessible(wanted, marking, true))) return;
    const highest = markings.reduce((left, right) => engine.max(left, right));
    const message = `Cannot lower case classification to ${wanted}. Case items have a maximum classification of ${highest}.`;
    throw new Forbidden('item_above_case', message, { at: 'classification' });
  }
}

function refersTo(item: CaseItem, caseIds: readonly string[]): boolean {
  return item.type === 'case' && caseIds.includes(item.value);
}
