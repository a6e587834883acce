import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { alerts, dataOf } from '../../../../api/clients.ts';
import { Combobox } from '../../../../design/forms/choices/combobox.tsx';
import { TextField } from '../../../../design/forms/text-field.tsx';
import { useLater } from '../../../../design/forms/use-later.ts';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import type { Translate } from '../../../../i18n/translation.ts';
import { useTranslation } from '../../../../i18n/translation.ts';
import { searchCases } from '../requests/searches.ts';
import { countOf } from '../targets.ts';
import type { TriageDialogProps } from '../triage-dialogs.tsx';
import { TriageForm } from './triage-form.tsx';

/** Draws the choice of the case that alerts are filed into; a new title creates one. */
export function FileDialog({ selection, onClose, onChange, typed: before }: TriageDialogProps) {
  const { t } = useTranslation();
  const first = useRef<HTMLInputElement>(null);
  const filed = before?.kind === 'file' ? before : undefined;
  const [typed, setTyped] = useState(filed?.caseId ?? '');
  const [chosen, setChosen] = useState(filed?.caseId);
  const [path, setPath] = useState(filed?.path ?? '');
  const [problem, setProblem] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const query = useLater(typed);
  const { data = [] } = useQuery({
    queryKey: ['alerts', 'cases', 'named', query],
    queryFn: ({ signal }) => searchCases(query, signal),
    placeholderData: keepPreviousData,
  });
  const submit = async () => {
    if (chosen === undefined) return;
    setBusy(true);
    try {
      const known = data.find(({ id }) => id === chosen);
      const caseId = known?.id ?? (await createCase(chosen, t('alert.file.summary')));
      onChange({ kind: 'file', caseId, path: path.trim() === '' ? undefined : path.trim() });
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  return (
    <TriageForm
      title={t('alert.file.title', { count: countOf(selection) })}
      size="small"
      initialFocus={first}
      submitLabel={t('alert.file.submit')}
      busy={isBusy}
      isReady={chosen !== undefined}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Combobox
        ref={first}
        label={t('alert.file.case')}
        hint={t('alert.file.caseHint')}
        options={data.map(({ id, title, status }) => ({ value: id, label: title, detail: statusName(t, status) }))}
        value={chosen}
        onChange={setChosen}
        onQuery={setTyped}
        allowNew
      />
      <TextField label={t('alert.file.folder')} optional data value={path} onChange={setPath} />
      {problem !== undefined && <ProblemPanel problem={problem} />}
    </TriageForm>
  );
}

async function createCase(title: string, summary: string): Promise<string> {
  return (await dataOf(alerts.POST('/api/v2/case/', { body: { title, summary } }))).case_id;
}

function statusName(t: Translate, status: string): string {
  const known = (['open', 'in-progress', 'on-hold', 'resolved'] as const).find((one) => one === status);
  return known === undefined ? status : t(`data.status.${known}`);
}
