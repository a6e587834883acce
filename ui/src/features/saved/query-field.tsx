import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { Field } from '../../design/forms/field.tsx';
import type { BoundField } from '../../design/forms/use-form.ts';
import { useConfiguration, useSession } from '../../shell/session-context.tsx';
import { completionSources } from '../alerts/list/search/completion-sources.ts';
import { queryFields } from '../query/language/query-fields.ts';
import { QueryBar } from '../query/query-bar.tsx';
import { QueryHistory } from '../query/sources/query-history.ts';
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

/** Draws a query of alerts in a form, with completions and marked mistakes. */
export function QueryField({ label, hint, found, name, value, error, onChange, onRun = onChange }: Props) {
  const { session } = useSession();
  const queryClient = useQueryClient();
  const { data: configuration } = useConfiguration();
  const catalogue = configuration?.indexes.hit;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const sources = useMemo(
    () => completionSources(queryClient, new QueryHistory(session.username, 'alerts'), () => []),
    [queryClient, session.username],
  );
  const failure = found?.error;
  const problem = failure instanceof ApiProblem && failure.status === 400 ? failure : undefined;
  return (
    <Field label={label} hint={hint} error={error} name={name} group>
      {() => (
        <QueryBar
          label={label}
          value={value}
          onChange={onChange}
          onRun={onRun}
          fields={fields}
          sources={sources}
          mapping={configuration?.configuration.mapping}
          problem={problem}
          refusedText={found?.searched}
        />
      )}
    </Field>
  );
}
