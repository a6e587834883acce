import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { type Facets, facetsOf } from '../../../../api/alert-searches.ts';
import { byCount, type ValueCount } from '../../../../api/value-counts.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { SearchField } from '../../../../design/forms/search-field.tsx';
import { Pane } from '../../../../design/layout/page.tsx';
import { Dialog } from '../../../../design/overlays/dialog.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { type FieldInfo, useConfiguration } from '../../../../shell/session-context.tsx';
import { valueFilter, withFilter } from '../../../query/model/filter.ts';
import styles from '../alerts-page.module.css';
import type { AlertResults } from '../results/use-alert-results.ts';
import type { AlertList } from '../use-alert-list.ts';
import { FacetValues } from './facet-values.tsx';

// Its combobox weighs as much as the rest of the panel.
const FieldChoice = lazy(async () => ({ default: (await import('../list-forms.tsx')).FieldChoice }));

/** The fields of the panel that are always there, by the key of their name. */
const FACETS = {
  status: 'howler.status',
  escalation: 'howler.escalation',
  assessment: 'howler.assessment',
  assignment: 'howler.assignment',
  analytic: 'howler.analytic',
  detection: 'howler.detection',
} as const;

const USUAL: readonly string[] = Object.values(FACETS);
const VALUES = 50;
/** Fields that a reader can add: each of them costs a count of all matches. */
const MAX_ADDED = 20;

/** Values of the result with their counts; each of them can be included and excluded. */
export function FacetPanel({ list }: { list: AlertList }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { results, state } = list;
  const known = useConfiguration().data?.indexes.hit;
  // A field may have gone since it was added.
  const added = list.facets.filter((field) => known !== undefined && isCountable(field, known[field]));
  const usual = useFacets(USUAL, results);
  const others = useFacets(added, results);
  const choose = (field: string, value: string, excluded: boolean) =>
    list.search({ ...state, filters: withFilter(state.filters, valueFilter(field, value, { excluded })) });

  return (
    <aside className={styles.facets} aria-label={t('alerts.facets')}>
      <Pane title={t('alerts.facets')}>
        <SearchField label={t('alerts.facetSearch')} value={typed} onChange={setTyped} />
        {Object.entries(FACETS).map(([name, field]) => (
          <FacetValues
            key={field}
            title={t(`alerts.facetFields.${name as keyof typeof FACETS}`)}
            counts={matching(usual.data?.[field], typed)}
            onChoose={(value, excluded) => choose(field, value, excluded)}
          />
        ))}
        {added.map((field) => (
          <FacetValues
            key={field}
            title={field}
            counts={matching(others.data?.[field], typed)}
            onChoose={(value, excluded) => choose(field, value, excluded)}
            onRemove={() => list.setFacets(list.facets.filter((one) => one !== field))}
          />
        ))}
        {others.error && <ProblemPanel problem={others.error} onRetry={() => void others.refetch()} />}
        {added.length < MAX_ADDED && (
          <AddFacet shown={[...USUAL, ...added]} onAdd={(field) => list.setFacets([...list.facets, field])} />
        )}
      </Pane>
    </aside>
  );
}

/** Counts the values of fields in a result, once it is there. */
function useFacets(fields: readonly string[], results: AlertResults | undefined) {
  const total = results?.total;
  const request = results?.search.request;
  return useQuery({
    queryKey: ['alerts', 'facets', fields, request, total],
    queryFn: ({ signal }) => facetsOf({ fields, ...request, rows: VALUES }, { signal }),
    enabled: fields.length > 0 && total !== undefined,
    placeholderData: keepPreviousData,
  });
}

function AddFacet({ shown, onAdd }: { readonly shown: readonly string[]; readonly onAdd: (field: string) => void }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon={Plus} onClick={() => setOpen(true)}>
        {t('alerts.addFacet')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('alerts.addFacet')} size="small">
        <Suspense fallback={<Loading />}>
          <FieldChoice
            label={t('alerts.addFacet')}
            isOffered={(field, info) => !shown.includes(field) && isCountable(field, info)}
            onChoose={(field) => {
              onAdd(field);
              setOpen(false);
            }}
          />
        </Suspense>
      </Dialog>
    </>
  );
}

/** Long texts and moments have a value for each alert: a histogram and a search say more. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['text', 'date', 'object', 'json', 'flattened_object']);

function isCountable(field: string, info: FieldInfo | undefined): boolean {
  return info !== undefined && info.indexed !== false && !NOT_COUNTED.has(info.type) && !field.includes('*');
}

function matching(counts: Facets[string] | undefined, typed: string): readonly ValueCount[] {
  const wanted = typed.toLowerCase();
  return byCount(counts).filter(({ value }) => value.toLowerCase().includes(wanted));
}
