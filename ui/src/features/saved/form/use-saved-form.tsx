import type { ReactNode } from 'react';
import { changedMembers } from '../../../design/forms/form-state.ts';
import { type Form, type FormOptions, useForm } from '../../../design/forms/use-form.ts';
import { useQuestion } from '../../../design/overlays/use-question.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { EditConflict } from '../../conflicts/edit-conflict.ts';
import { MemberConflictDialog } from '../../conflicts/member-conflict-dialog.tsx';
import { type SavedObject, writeMembers } from './write-members.ts';

interface Options<Stored, Values extends object> extends Pick<FormOptions<Values>, 'draft' | 'validate'> {
  readonly initial: Values;
  /** Undefined: a new one. */
  readonly object: SavedObject<Stored, Values> | undefined;
  /** Creates a new one. */
  readonly create?: ((values: Values) => Promise<Stored>) | undefined;
  readonly onSaved: (saved: Stored) => Promise<unknown>;
  /** Names of the members that people change, for the question about a conflict. */
  readonly names: Readonly<Partial<Record<keyof Values & string, string>>>;
  /** Returns a value in words. Default: as it is stored. */
  readonly wordsOf?: (member: keyof Values & string, value: unknown) => unknown;
}

export interface SavedForm<Values extends object> {
  readonly form: Form<Values>;
  /** The question about a conflict; render it once, outside of the form. */
  readonly question: ReactNode;
}

/**
 * Holds the form of a saved object, which it creates or changes. Where another person changed the same
 * members meanwhile, the person decides which version counts, and what was typed stays in the form.
 */
export function useSavedForm<Stored, Values extends object>(options: Options<Stored, Values>): SavedForm<Values> {
  const { draft, initial, validate, object, create, onSaved, names, wordsOf } = options;
  const { t } = useTranslation();
  const { ask, question } = useQuestion<EditConflict<Values>>((conflict, onDecide) => (
    <MemberConflictDialog
      title={t('saved.conflict')}
      conflict={conflict}
      nameOf={(member) => names[member] ?? member}
      wordsOf={wordsOf}
      onDecide={onDecide}
    />
  ));
  const form = useForm<Values>({
    draft,
    initial,
    validate,
    submit: async (values, { stored, seen, rebase }) => {
      if (object === undefined) {
        if (create !== undefined) await onSaved(await create(values));
        return;
      }
      const change = changedMembers(values, stored);
      const write = (overwrites: boolean) => writeMembers(object, { seen, change, overwrites });
      const saved = await write(false).catch(async (error: unknown) => {
        if (!(error instanceof EditConflict)) throw error;
        if (await ask(error)) return write(true);
        rebase(error.present, stored);
        throw new Error(t('conflict.kept'));
      });
      rebase(object.valuesOf(saved), values);
      await onSaved(saved);
    },
  });
  return { form, question };
}
