import { useQueryClient } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { FieldError } from '../../design/forms/field.tsx';
import { useConfiguration, useSession } from '../../shell/session-context.tsx';
import { completionSources } from '../alerts/list/completion-sources.ts';
import { queryFields } from '../query/language/query-fields.ts';
import { QueryBar } from '../query/query-bar.tsx';
import { QueryHistory } from '../query/sources/query-history.ts';
import styles from './actions.module.css';

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Path of the query in what is sent, for the focus on its mistake. */
  readonly name?: string | undefined;
  readonly value: string;
  readonly onChange: (query: string) => void;
  /** Enter. */
  readonly onRun: (query: string) => void;
}

const NO_FILTERS: readonly string[] = [];

/** Draws the query of an action, with the completions of the alert list. */
export function QueryField({ label, hint, error, name, value, onChange, onRun }: Props) {
  const id = useId();
  const { session } = useSession();
  const queryClient = useQueryClient();
  const { data: configuration } = useConfiguration();
  const catalogue = configuration?.indexes.hit;
  const fields = useMemo(() => (catalogue === undefined ? undefined : queryFields(catalogue)), [catalogue]);
  const sources = useMemo(
    () => completionSources(queryClient, new QueryHistory(session.username, 'alerts'), () => NO_FILTERS),
    [queryClient, session.username],
  );
  return (
    <div className={styles.query} data-at={name}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      <QueryBar
        label={label}
        value={value}
        onChange={onChange}
        onRun={onRun}
        fields={fields}
        sources={sources}
        mapping={configuration?.configuration.mapping}
      />
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <FieldError id={id} error={error} />
    </div>
  );
}
