import type { Versioned, Visible } from '../../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import { pythonRepr } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { changeOperations, type HitChange } from '../changes/hit-log.ts';
import type { HitEvents } from '../hit-events.ts';
import type { HitStore } from '../hit-store.ts';

type LabelSet = keyof NonNullable<Hit['howler']['labels']>;

export interface HitLabelDependencies {
  store: HitStore;
  events: HitEvents;
}

/**
 * Changes labels of an alert, in the sets that the document defines. `given` returns the labels and is called when alert and
 * set are known to exist. Errors of both methods: NotFound `hit_missing`, `label_set_missing`; TooLarge `document_too_large`;
 * those of `given`.
 */
export class HitLabels {
  readonly #store: HitStore;
  readonly #events: HitEvents;

  constructor(dependencies: HitLabelDependencies) {
    this.#store = dependencies.store;
    this.#events = dependencies.events;
  }

  /** Adds all of the labels or none. @throws InvalidInput `label_present`, when the alert has one already */
  async add(
    actor: Actor,
    id: string,
    set: string,
    given: () => readonly string[],
    visible: Visible,
  ): Promise<Versioned<Hit>> {
    const changed = await this.#change(actor, id, set, given, visible, 'append', (present, wanted) => {
      const both = wanted.filter((label) => present.includes(label));
      if (both.length > 0) {
        const shown = both.map(pythonRepr).join(', ');
        throw new InvalidInput('label_present', `Cannot add duplicate labels: {${shown}}`, { at: 'value' });
      }
    });
    await this.#events.triggered(actor, 'add_label', [id]);
    return changed;
  }

  /** Removes those of the labels that the alert has. */
  async remove(
    actor: Actor,
    id: string,
    set: string,
    given: () => readonly string[],
    visible: Visible,
  ): Promise<Versioned<Hit>> {
    const changed = await this.#change(actor, id, set, given, visible, 'remove', () => {});
    await this.#events.triggered(actor, 'remove_label', [id]);
    return changed;
  }

  async #change(
    actor: Actor,
    id: string,
    set: string,
    given: () => readonly string[],
    visible: Visible,
    kind: HitChange['kind'],
    check: (present: readonly string[], wanted: readonly string[]) => void,
  ): Promise<Versioned<Hit>> {
    return this.#store.change(
      actor,
      id,
      (context) => {
        const key = labelSetPath(set);
        const wanted = [...new Set(given())];
        check(context.hit.howler.labels?.[set as LabelSet] ?? [], wanted);
        return changeOperations(
          wanted.map((value) => ({ kind, key, value })),
          context,
        );
      },
      { visible },
    );
  }
}

function labelSetPath(set: string): string {
  const path = `howler.labels.${set}`;
  if (hitDocument.fieldByPath.has(path)) return path;
  throw new NotFound('label_set_missing', `Label set ${set} does not exist`);
}
