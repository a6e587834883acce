import { ListFilter, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Facets } from '../../../../api/alert-searches.ts';
import { byCount, type ValueCount } from '../../../../api/value-counts.ts';
import { Button } from '../../../../design/controls/button.tsx';
import { SearchField } from '../../../../design/forms/search-field.tsx';
import { lateComponent } from '../../../../design/late/late-component.tsx';
import { Pane } from '../../../../design/layout/page.tsx';
import { useMedia } from '../../../../design/layout/use-media.ts';
import { Dialog } from '../../../../design/overlays/dialog.tsx';
import { Loading } from '../../../../design/states/loading.tsx';
import { ProblemPanel } from '../../../../design/states/problem-panel.tsx';
import { useTranslation } from '../../../../i18n/translation.ts';
import { type FieldInfo, useConfiguration } from '../../../../shell/session-context.tsx';
import { valueFilter, withFilter } from '../../../query/model/filter.ts';
import styles from '../alerts-page.module.css';
import type { ListSearch } from '../use-list-search.ts';
import { FacetValues } from './facet-values.tsx';
import { useFacets, useFoundFacets } from './use-facets.ts';

// Its combobox weighs as much as the rest of the panel.
const FieldChoice = lateComponent(async () => (await import('../list-forms.tsx')).FieldChoice);

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
/** Fields that a reader can add: each of them costs a count of all matches. */
const MAX_ADDED = 20;

interface Props {
  readonly list: ListSearch;
  readonly isBesideAlert: boolean;
}

/** The values beside the list, where the window has the room. */
export function FacetPanel({ list, isBesideAlert }: Props) {
  const { t } = useTranslation();
  if (useIsNarrow(isBesideAlert)) return null;
  return (
    <aside className={styles.facets} aria-label={t('alerts.facets')}>
      <Pane title={t('alerts.facets')}>
        <AllFacets list={list} />
      </Pane>
    </aside>
  );
}

/** Opens the values in a dialog, where there is no room for the panel. */
export function FacetButton({ list, isBesideAlert }: Props) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useIsNarrow(isBesideAlert);
  if (!isNarrow) return null;
  return (
    <>
      <Button kind="quiet" icon={ListFilter} onClick={() => setOpen(true)}>
        {t('alerts.facets')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('alerts.facets')} size="small">
        <AllFacets list={list} />
      </Dialog>
    </>
  );
}

/** Rows beside an open alert need the width more. */
function useIsNarrow(isBesideAlert: boolean): boolean {
  return useMedia(isBesideAlert ? '(max-width: 1400px)' : '(max-width: 960px)');
}

/** Values of the result with their counts; each of them can be included and excluded. */
function AllFacets({ list }: { list: ListSearch }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { results, state } = list;
  const described = useConfiguration().data?.indexes.hit;
  // A field may have gone since it was added.
  const added = list.facets.filter((field) => described !== undefined && isCountable(field, described[field]));
  const usual = useFacets(USUAL, results);
  const others = useFacets(added, results);
  const counted: Facets = { ...usual.data, ...others.data };
  const found = useFoundFacets(typed, counted, described, results);
  const countsOf = (field: string) => matching({ ...counted[field], ...found.data?.[field] }, typed);
  const choose = (field: string, value: string, excluded: boolean) =>
    list.search({ ...state, filters: withFilter(state.filters, valueFilter(field, value, { excluded })) });
  return (
    <>
      <SearchField label={t('alerts.facetSearch')} value={typed} onChange={setTyped} isSecondary />
      {[usual, others, found].map(({ error, refetch }, index) =>
        error === null ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the requests stay where they are.
          <ProblemPanel key={index} problem={error} onRetry={() => void refetch()} />
        ),
      )}
      {Object.entries(FACETS).map(([name, field]) => (
        <FacetValues
          key={field}
          title={t(`alerts.facetFields.${name as keyof typeof FACETS}`)}
          counts={countsOf(field)}
          onChoose={(value, excluded) => choose(field, value, excluded)}
        />
      ))}
      {added.map((field) => (
        <FacetValues
          key={field}
          title={field}
          counts={countsOf(field)}
          onChoose={(value, excluded) => choose(field, value, excluded)}
          onRemove={() => list.setFacets(list.facets.filter((one) => one !== field))}
        />
      ))}
      {added.length < MAX_ADDED && (
        <AddFacet shown={[...USUAL, ...added]} onAdd={(field) => list.setFacets([...list.facets, field])} />
      )}
    </>
  );
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

function matching(counts: Readonly<Record<string, number>>, typed: string): readonly ValueCount[] {
  const wanted = typed.trim().toLowerCase();
  return byCount(counts).filter(({ value }) => value.toLowerCase().includes(wanted));
}
