import { useMemo, useState } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { Field } from '../../design/forms/field.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { useConfiguration } from '../../shell/session-context.tsx';
import { queryFields } from '../query/language/query-fields.ts';
import { QueryBar } from '../query/query-bar.tsx';
import { alertValues } from '../query/sources/alert-values.ts';
import { useQuerySources } from '../query/sources/use-query-sources.ts';
import { WORD_FIELD_NAMES } from '../query/words/alert-word-fields.ts';
import { collapseWords } from '../query/words/collapse-words.ts';
import { expandWords } from '../query/words/expand-words.ts';
import { typedRefusal } from '../query/words/typed-refusal.ts';
import type { useNewestAlerts } from './newest-alerts.ts';

type Bound = BoundField<string>;

interface Props extends Pick<Bound, 'value' | 'onChange'>, Partial<Pick<Bound, 'name' | 'error'>> {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The preview of the query, whose refusal is marked in it. */
  readonly found?: ReturnType<typeof useNewestAlerts> | undefined;
  /** Enter. Default: `onChange`. */
  readonly onRun?: ((query: string) => void) | undefined;
}

/**
 * Draws a query of alerts in a form, with completions and marked mistakes. Words without a field are
 * kept as the clauses that look for them, so that every program that runs the query finds the same.
 */
export function QueryField({ label, hint, found, name, value, error, onChange, onRun = onChange }: Props) {
  const { data: configuration } = useConfiguration();
  const catalogue = configuration?.indexes.hit;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const { sources } = useQuerySources({ place: 'alerts', load: alertValues, hasViews: true });
  const [typed, setTyped] = useState({ of: value, text: collapseWords(value) });
  const text = typed.of === value ? typed.text : collapseWords(value);
  const failure = found?.error;
  const searched = found?.searched;
  const refusedText = searched === undefined || searched === value ? text : collapseWords(searched);
  const problem = useMemo(
    () => (failure instanceof ApiProblem && failure.status === 400 ? typedRefusal(failure, refusedText) : undefined),
    [failure, refusedText],
  );
  return (
    <Field label={label} hint={hint} error={error} name={name} group>
      {() => (
        <QueryBar
          label={label}
          value={text}
          onChange={(next) => {
            const expanded = expandWords(next).text;
            setTyped({ of: expanded, text: next });
            onChange(expanded);
          }}
          onRun={(next) => onRun(expandWords(next).text)}
          fields={fields}
          wordFields={WORD_FIELD_NAMES}
          sources={sources}
          mapping={configuration?.configuration.mapping}
          problem={problem}
          refusedText={refusedText}
        />
      )}
    </Field>
  );
}
