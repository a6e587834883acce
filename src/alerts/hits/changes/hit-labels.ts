import type { Versioned, Visible } from '../../../datastore/port/collection.ts';
import { type Hit, hitDocument } from '../../../documents/kinds/hit.ts';
import { pythonRepr } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput, NotFound } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import type { HitStore } from '../hit-store.ts';
import { changeOperations } from './hit-log.ts';

type LabelSet = keyof NonNullable<Hit['howler']['labels']>;

/**
 * Adds labels to an alert, all of them or none, or removes those that it has.
 * @param given returns the labels; called when alert and set are known to exist
 * @throws NotFound `hit_missing`, `label_set_missing`; InvalidInput `label_present`, when the alert has one already; TooLarge
 *  `document_too_large`; the errors of `given`
 */
export function changeLabels(
  kind: 'append' | 'remove',
  store: HitStore,
  actor: Actor,
  { id, label_set: set }: { readonly id: string; readonly label_set: string },
  given: () => readonly string[],
  visible: Visible,
): Promise<Versioned<Hit>> {
  const fires = kind === 'append' ? 'add_label' : 'remove_label';
  return store.change(actor, id, { visible, fires }, (context) => {
    const key = `howler.labels.${set}`;
    if (!hitDocument.fieldByPath.has(key)) {
      throw new NotFound('label_set_missing', `Label set ${set} does not exist`);
    }
    const wanted = [...new Set(given())];
    const present = new Set<string>(context.hit.howler.labels?.[set as LabelSet]);
    const both = kind === 'append' ? wanted.filter((label) => present.has(label)) : [];
    if (both.length > 0) {
      const shown = both.map(pythonRepr).join(', ');
      throw new InvalidInput('label_present', `Cannot add duplicate labels: {${shown}}`, { at: 'value' });
    }
    const changes = wanted.map((value) => ({ kind, key, value }));
    return changeOperations(changes, context);
  });
}
