import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Facets, facetsOf } from '../../../api/alert-searches.ts';
import { byCount, type ValueCount } from '../../../api/value-counts.ts';
import { TextField } from '../../../design/forms/text-field.tsx';
import { Pane } from '../../../design/layout/page.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { valueFilter, withFilter } from '../../query/model/filter.ts';
import styles from './alerts-page.module.css';
import { FacetValues } from './facet-values.tsx';
import type { AlertList } from './use-alert-list.ts';

/** The fields of the panel, by the key of their name. */
const FACETS = {
  status: 'howler.status',
  escalation: 'howler.escalation',
  assessment: 'howler.assessment',
  assignment: 'howler.assignment',
  analytic: 'howler.analytic',
  detection: 'howler.detection',
} as const;

const VALUES = 50;

/** Values of the result with their counts; each of them can be included and excluded. */
export function FacetPanel({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { request, state } = list;
  const fields = Object.values(FACETS);
  const facets = useQuery({
    queryKey: ['alerts', 'facets', request.query, request.filters, list.results?.total],
    queryFn: ({ signal }) =>
      facetsOf({ fields, query: request.query, filters: request.filters, rows: VALUES }, { signal }),
    placeholderData: (before) => before,
  });
  const choose = (field: string, value: string, excluded: boolean) =>
    list.search({ ...state, filters: withFilter(state.filters, valueFilter(field, value, { excluded })) });

  return (
    <aside className={styles.facets} aria-label={t('alerts.facets')}>
      <Pane title={t('alerts.facets')}>
        <TextField
          label={t('alerts.facetSearch')}
          labelHidden
          value={typed}
          onChange={setTyped}
          placeholder={t('alerts.facetSearch')}
        />
        {Object.entries(FACETS).map(([name, field]) => (
          <FacetValues
            key={field}
            title={t(`alerts.facetFields.${name as keyof typeof FACETS}`)}
            counts={matching(facets.data?.[field], typed)}
            onChoose={(value, excluded) => choose(field, value, excluded)}
          />
        ))}
      </Pane>
    </aside>
  );
}

function matching(counts: Facets[string] | undefined, typed: string): readonly ValueCount[] {
  const wanted = typed.toLowerCase();
  return byCount(counts).filter(({ value }) => value.toLowerCase().includes(wanted));
}
