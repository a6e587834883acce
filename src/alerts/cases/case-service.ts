import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Versioned, Visible } from '../../datastore/port/collection.ts';
import type { Case } from '../../documents/kinds/case.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import { mayClassify } from '../../identity/accounts/classified-collection.ts';
import type { Actor } from '../../identity/actor.ts';
import { checkCaseChange, readCaseChange, withAuthors } from './case-changes.ts';
import type { CaseItemPlacement } from './case-item-placement.ts';
import { type CaseItem, isRecordItem, itemsOf } from './case-items.ts';
import type { CaseStore } from './case-store.ts';

export interface CaseServiceDependencies {
  cases: CaseStore;
  placement: CaseItemPlacement;
  classification: ClassificationEngine;
}

type Input = Readonly<Record<string, unknown>>;

/** Investigations. Every method acts as `actor`: what is above their classification does not exist for them. */
export class CaseService {
  readonly #dependencies: CaseServiceDependencies;

  constructor(dependencies: CaseServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes a case. The member `items` may hold items, which come in order, so that folders stand before what lies in them; all of it is
   * stored or nothing.
   * @throws InvalidInput `invalid_document`, `invalid_body`; Forbidden `classification_too_high`; and as `CaseItemPlacement.place`
   */
  async create(actor: Actor, input: Input, visible: Visible): Promise<Case> {
    const { cases, placement, classification } = this.#dependencies;
    const { items: inputs = [], case_id: _ignored, ...rest } = input;
    if (!Array.isArray(inputs)) throw new InvalidInput('invalid_body', "'items' must be a list.", { at: 'items' });
    const given = cases.read(rest);
    const draft = { ...given, rules: withAuthors(given.rules, actor.username, []) };
    if (!mayClassify(actor, classification, draft.classification)) {
      throw new Forbidden(
        'classification_too_high',
        `User cannot create case at classification ${draft.classification}`,
        { at: 'classification' },
      );
    }
    const items: CaseItem[] = [];
    for (const one of inputs) items.push(await placement.place(actor, { ...draft, items }, one));
    return cases.create(actor, draft, items, visible);
  }

  /** @throws NotFound `case_missing` */
  async get(actor: Actor, id: string): Promise<Versioned<Case>> {
    const found = await this.#dependencies.cases.getVersioned(actor, id);
    if (!found) throw new NotFound('case_missing', 'Case does not exist');
    return found;
  }

  /**
   * Changes members of a case, each with an entry in its log; lists are replaced.
   * @throws NotFound `case_missing`; InvalidInput `case_items_elsewhere`, `case_member_fixed`, `unknown_field`, `invalid_document`;
   * Forbidden `classification_too_high`, `item_above_case`
   */
  async update(actor: Actor, id: string, change: Input, visible: Visible): Promise<Case> {
    const { cases, classification } = this.#dependencies;
    const changed = await cases.change(
      actor,
      id,
      async (present) => {
        checkCaseChange(change);
        const now = cases.now();
        const { members, log } = readCaseChange(present, change, { classification, username: actor.username, now });
        const { classification: wanted } = members;
        if (wanted !== undefined) this.#rejectClassification(actor, present, wanted);
        const isRegathered = wanted !== undefined && itemsOf(present).some(isRecordItem);
        const gathered = isRegathered ? await cases.gathered({ ...present, classification: wanted }) : {};
        return { ...gathered, ...members, updated: now, log: [...(present.log ?? []), ...log] };
      },
      visible,
    );
    if (!changed) throw new NotFound('case_missing', `Case ${id} does not exist`);
    const { document } = changed;
    if ('classification' in change) {
      await cases.reclassify({ type: 'case', id, classification: document.classification }, [], visible);
    }
    return document;
  }

  /** Hides those of the cases that the actor may see. @returns how many */
  hide(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    return this.#dependencies.cases.hide(actor, ids, visible);
  }

  /** Deletes those of the cases that the actor may find. @returns how many */
  delete(actor: Actor, ids: readonly string[], visible: Visible): Promise<number> {
    return this.#dependencies.cases.delete(actor, ids, visible);
  }

  #rejectClassification(actor: Actor, present: Case, wanted: string): void {
    const engine = this.#dependencies.classification;
    if (!mayClassify(actor, engine, wanted)) {
      const message = `Cannot set case to invalid classification for user ${actor.username}`;
      throw new Forbidden('classification_too_high', message, { at: 'classification' });
    }
    const markings = itemsOf(present).flatMap((item) => item.classification ?? []);
    if (markings.every((marking) => engine.isAccessible(wanted, marking, true))) return;
    const highest = markings.reduce((left, right) => engine.max(left, right));
    throw new Forbidden(
      'item_above_case',
      `Cannot lower case classification to ${wanted}. Case items have a maximum classification of ${highest}.`,
      { at: 'classification' },
    );
  }
}
