import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { Checkbox } from '../../../design/forms/choices/checkbox.tsx';
import { Combobox } from '../../../design/forms/choices/combobox.tsx';
import { MultiCombobox } from '../../../design/forms/choices/multi-combobox.tsx';
import type { Option } from '../../../design/forms/choices/options.ts';
import { Select } from '../../../design/forms/choices/select.tsx';
import { TextField } from '../../../design/forms/text-field.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { CompletionSources } from '../language/completions.ts';
import { fieldOf, type QueryFields } from '../language/query-fields.ts';
import type { Filter } from '../model/filter.ts';
import { MATCH_ALL } from '../model/query-request.ts';
import { DRAFT_CONDITIONS, type DraftProblem, draftOf, EMPTY_DRAFT, filterOfDraft } from './filter-draft.ts';
import styles from './filters.module.css';

export interface FilterFormProps {
  /** Undefined for a new filter. */
  readonly filter?: Filter | undefined;
  readonly fields: QueryFields | undefined;
  readonly sources: CompletionSources;
  readonly onSubmit: (filter: Filter) => void;
}

/** Draws the inputs of one filter. */
export function FilterForm({ filter, fields, sources, onSubmit }: FilterFormProps): ReactElement {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => (filter ? draftOf(filter) : EMPTY_DRAFT));
  const [problem, setProblem] = useState<DraftProblem>();
  const [typed, setTyped] = useState('');
  const values = useValues(draft.field, typed, fields, sources);
  const change = (changed: Partial<typeof draft>) => {
    setDraft({ ...draft, ...changed });
    setProblem(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = filterOfDraft(draft);
    if (next.kind === 'field' || next.kind === 'query') onSubmit({ ...next, off: filter?.off ?? false });
    else setProblem(next);
  };
  const errorOf = (...kinds: readonly DraftProblem['kind'][]) => {
    if (problem === undefined || !kinds.includes(problem.kind)) return undefined;
    return problem.kind === 'refused' ? problem.message : t(`query.filter.problem.${problem.kind}`);
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label={t('query.filter.edit')}>
      <Select
        label={t('query.filter.condition')}
        options={DRAFT_CONDITIONS.map((value) => ({ value, label: t(`query.filter.conditions.${value}`) }))}
        value={draft.condition}
        onChange={(condition) => change({ condition })}
      />
      {draft.condition !== 'query' && (
        <Combobox
          label={t('query.filter.field')}
          data
          allowNew
          options={(fields?.all ?? []).map(({ name, type }) => ({ value: name, label: name, detail: type }))}
          value={draft.field}
          onChange={(field) => change({ field, values: [] })}
          error={errorOf('no_field')}
        />
      )}
      {draft.condition === 'values' && (
        <MultiCombobox
          label={t('query.filter.values')}
          data
          allowNew
          options={values}
          value={draft.values}
          onChange={(chosen) => change({ values: chosen })}
          onQuery={setTyped}
          error={errorOf('no_value')}
        />
      )}
      {draft.condition === 'range' && (
        <>
          <TextField
            label={t(draft.lowerInclusive ? 'query.filter.from' : 'query.filter.above')}
            data
            value={draft.lower}
            onChange={(lower) => change({ lower })}
            error={errorOf('no_bound')}
          />
          <TextField
            label={t(draft.upperInclusive ? 'query.filter.to' : 'query.filter.below')}
            data
            value={draft.upper}
            onChange={(upper) => change({ upper })}
          />
        </>
      )}
      {draft.condition === 'query' && (
        <TextField
          label={t('query.label')}
          data
          value={draft.text}
          onChange={(text) => change({ text })}
          error={errorOf('no_query', 'refused')}
        />
      )}
      <Checkbox
        label={t('query.filter.excludes')}
        value={draft.excluded}
        onChange={(excluded) => change({ excluded })}
      />
      <Button kind="primary" type="submit">
        {t(filter ? 'query.filter.apply' : 'query.filter.add')}
      </Button>
    </form>
  );
}

/** Returns values that records have in a field, the most frequent first. */
function useValues(
  name: string | undefined,
  typed: string,
  fields: QueryFields | undefined,
  sources: CompletionSources,
): readonly Option[] {
  const { t } = useTranslation();
  const [found, setFound] = useState<readonly Option[]>([]);
  const field = name === undefined || fields === undefined ? undefined : fieldOf(fields, name);
  useEffect(() => {
    setFound((field?.values ?? []).map((value) => ({ value, label: value })));
    if (field === undefined || name === undefined || sources.values === undefined) return;
    const abort = new AbortController();
    sources.values({ ...field, name }, typed, MATCH_ALL, abort.signal).then(
      (counted) => {
        if (abort.signal.aborted || counted.length === 0) return;
        const detail = (count: number | undefined) => (count === undefined ? undefined : t('query.records', { count }));
        setFound(counted.map(({ value, count }) => ({ value, label: value, detail: detail(count) })));
      },
      // Without an answer the values that the field lists remain.
      () => undefined,
    );
    return () => abort.abort();
  }, [field, name, typed, sources, t]);
  const wanted = typed.trim().toLowerCase();
  return found.filter(({ value }) => value.toLowerCase().includes(wanted));
}
