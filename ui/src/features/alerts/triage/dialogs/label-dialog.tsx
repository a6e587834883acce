import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MultiCombobox } from '../../../../design/forms/choices/multi-combobox.tsx';
import { Select } from '../../../../design/forms/choices/select.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import type { LabelSet } from '../alert.ts';
import type { Change } from '../changes/changes.ts';
import { searchLabels } from '../requests/searches.ts';
import { countOf, isMatching } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { TriageForm } from './triage-form.tsx';

const SETS = [
  'generic',
  'assignments',
  'campaign',
  'insight',
  'mitigation',
  'operation',
  'threat',
  'tuning',
  'victim',
] as const satisfies readonly LabelSet[];

/** Draws the labels of one set: those of one alert to change, or new ones for several. */
export function LabelDialog({ selection, tools, onClose, onChange, typed }: TriageDialogProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const only = isMatching(selection) || selection.length !== 1 ? undefined : selection[0];
  const labels = only === undefined ? undefined : tools.copies.read(only.id)?.alert.howler.labels;
  const labelled = typed?.kind === 'label' ? typed : undefined;
  const [set, setSet] = useState<LabelSet>(labelled?.set ?? 'generic');
  const before = labels?.[set] ?? [];
  const [changed, setChanged] = useState(() => labelled && withLabels(before, labelled));
  const value = changed ?? before;
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'labels', set],
    queryFn: ({ signal }) => searchLabels(set, signal),
  });
  const add = value.filter((label) => !before.includes(label));
  const remove = before.filter((label) => !value.includes(label));
  return (
    <TriageForm
      title={t('alert.label.title', { count: countOf(selection) })}
      size="small"
      initialFocus={first}
      submitLabel={t('common.save')}
      isReady={add.length + remove.length > 0}
      onSubmit={() => onChange({ kind: 'label', set, add, remove })}
      onClose={onClose}
    >
      <MultiCombobox
        ref={first}
        label={t('alert.label.labels')}
        options={data.map((label) => ({ value: label, label }))}
        value={value}
        onChange={setChanged}
        allowNew
        data
      />
      <Select
        label={t('alert.label.set')}
        options={SETS.map((one) => ({ value: one, label: t(`alert.label.sets.${one}`) }))}
        value={set}
        onChange={(next) => {
          setSet(next);
          setChanged(undefined);
        }}
      />
    </TriageForm>
  );
}

function withLabels(before: readonly string[], { add, remove }: Extract<Change, { kind: 'label' }>): readonly string[] {
  return [...new Set([...before, ...add])].filter((label) => !remove.includes(label));
}
