import type { Versioned, Visible } from '../../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { pythonRepr } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { changeOperations, type HitChange } from '../changes/hit-log.ts';
import type { HitEvents } from '../hit-events.ts';
import type { HitStore } from '../hit-store.ts';

type LabelSet = keyof NonNullable<Hit['howler']['labels']>;

/** Labels of one call. Each has an entry in the log of the alert. */
export const MAX_LABELS = 200;

export interface HitLabelDependencies {
  store: HitStore;
  events: HitEvents;
}

/**
 * Labels of an alert, in the sets that the document defines. Both methods take the body of a request, `{ "value": [labels] }`. Errors of
 * both: NotFound `hit_missing`, `label_set_missing`; InvalidInput `invalid_body`, `labels_missing`, `labels_not_text`, `too_many_labels`;
 * TooLarge `document_too_large`.
 */
export class HitLabels {
  readonly #store: HitStore;
  readonly #events: HitEvents;

  constructor(dependencies: HitLabelDependencies) {
    this.#store = dependencies.store;
    this.#events = dependencies.events;
  }

  /** Adds all of the labels or none. @throws InvalidInput `label_present`, when the alert has one already */
  async add(actor: Actor, id: string, set: string, body: unknown, visible: Visible): Promise<Versioned<Hit>> {
    const changed = await this.#change(actor, id, set, body, visible, 'append', (present, wanted) => {
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
  async remove(actor: Actor, id: string, set: string, body: unknown, visible: Visible): Promise<Versioned<Hit>> {
    const changed = await this.#change(actor, id, set, body, visible, 'remove', () => {});
    await this.#events.triggered(actor, 'remove_label', [id]);
    return changed;
  }

  async #change(
    actor: Actor,
    id: string,
    set: string,
    body: unknown,
    visible: Visible,
    kind: HitChange['kind'],
    check: (present: readonly string[], wanted: readonly string[]) => void,
  ): Promise<Versioned<Hit>> {
    return this.#store.change(
      actor,
      id,
      (context) => {
        const key = labelSetPath(set);
        const wanted = readLabels(body);
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

/** Each label once. */
function readLabels(body: unknown): readonly string[] {
  if (!isObject(body)) {
    const message = 'Invalid data format';
    // Clients of the public system read the text from the response.
    throw new InvalidInput('invalid_body', message, { response: message });
  }
  const labels = body.value;
  if (labels === undefined || labels === null || (Array.isArray(labels) && labels.length === 0)) {
    throw new InvalidInput('labels_missing', 'Labels were not provided', { at: 'value' });
  }
  if (Array.isArray(labels) && labels.length > MAX_LABELS) {
    const message = `${labels.length} labels were sent; at most ${MAX_LABELS} are allowed in one request.`;
    throw new InvalidInput('too_many_labels', message, { at: 'value' });
  }
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === 'string' && label !== '')) {
    throw new InvalidInput('labels_not_text', 'Labels must be a list of texts that are not empty', { at: 'value' });
  }
  return [...new Set<string>(labels)];
}
