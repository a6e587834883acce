import { Plus, TriangleAlert, X } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../design/controls/button.tsx';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { VisuallyHidden } from '../../../design/controls/visually-hidden.tsx';
import { lateComponent } from '../../../design/late/late-component.tsx';
import { Popover } from '../../../design/overlays/popover.tsx';
import { Loading } from '../../../design/states/loading.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import type { CompletionSources } from '../language/completions.ts';
import type { QueryFields } from '../language/query-fields.ts';
import { refusedFilter, type ServerRefusal } from '../language/server-problem.ts';
import { type Filter, withFilter } from '../model/filter.ts';
import { filterQuery, inverted } from '../model/filter-query.ts';
import { FilterWords } from './filter-words.tsx';
import styles from './filters.module.css';

// Its comboboxes weigh as much as the rest of a list.
const FilterForm = lateComponent(async () => (await import('./filter-form.tsx')).FilterForm);

export interface FilterChipsProps {
  readonly filters: readonly Filter[];
  readonly onChange: (filters: readonly Filter[]) => void;
  readonly fields?: QueryFields | undefined;
  readonly sources?: CompletionSources | undefined;
  /** Refusal of the last search: the chip of the filter that it is about is marked. */
  readonly problem?: ServerRefusal | undefined;
}

const NO_SOURCES: CompletionSources = {};

/**
 * Draws the filters of a search as chips that are changed, switched off and removed, and a button for
 * more.
 */
export function FilterChips(props: FilterChipsProps): ReactElement {
  const { filters, onChange, fields, sources = NO_SOURCES, problem } = props;
  const refused = problem && refusedFilter(problem);
  // Filters that are switched off were not sent.
  const refusedChip = refused === undefined ? undefined : filters.filter(({ off }) => !off)[refused];
  const { t } = useTranslation();
  const [isAdding, setAdding] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number>(undefined);
  useEffect(() => {
    if (removedAt.current === undefined) return;
    // The focus goes to what took the place of the removed chip: the next one, or the button for more.
    list.current?.children[Math.min(removedAt.current, filters.length)]?.querySelector('button')?.focus();
    removedAt.current = undefined;
  }, [filters]);
  const remove = (index: number) => {
    removedAt.current = index;
    onChange(filters.toSpliced(index, 1));
  };
  return (
    <ul ref={list} className={styles.chips} aria-label={t('query.filter.filters')}>
      {filters.map((filter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chip stays the same, with its focus, when its filter changes.
        <li key={index}>
          <FilterChip
            filter={filter}
            fields={fields}
            sources={sources}
            onChange={(next) => onChange(filters.with(index, next))}
            onRemove={() => remove(index)}
            problem={filter === refusedChip ? problem?.message : undefined}
          />
        </li>
      ))}
      <li>
        <Popover
          title={t('query.filter.new')}
          open={isAdding}
          onOpenChange={setAdding}
          trigger={
            <Button kind="quiet" icon={Plus} className={styles.add}>
              {t('query.filter.add')}
            </Button>
          }
        >
          <FilterForm
            fields={fields}
            sources={sources}
            onSubmit={(filter) => {
              onChange(withFilter(filters, filter));
              setAdding(false);
            }}
          />
        </Popover>
      </li>
    </ul>
  );
}

interface FilterChipProps {
  readonly filter: Filter;
  readonly fields: QueryFields | undefined;
  readonly sources: CompletionSources;
  readonly onChange: (filter: Filter) => void;
  readonly onRemove: () => void;
  /** The reason why the search was refused because of this filter. */
  readonly problem: string | undefined;
}

function FilterChip({ filter, fields, sources, onChange, onRemove, problem }: FilterChipProps): ReactElement {
  const { t } = useTranslation();
  const problemId = useId();
  const [isOpen, setOpen] = useState(false);
  const query = filterQuery(filter);
  const change = (next: Filter) => {
    onChange(next);
    setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
  };
  const isRefused = problem !== undefined;
  const states = { excluded: filter.excluded, off: filter.off, refused: isRefused };
  const shown = (['excluded', 'off', 'refused'] as const).filter((state) => states[state]);
  const className = [styles.chip, ...shown.map((state) => styles[state])].join(' ');
  return (
    <span className={className}>
      <Popover
        title={t('query.filter.edit')}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className={styles.words}
            onKeyDown={onKeyDown}
            aria-describedby={isRefused ? problemId : undefined}
          >
            {isRefused && <TriangleAlert size={16} className={styles.warning} aria-hidden />}
            <FilterWords filter={filter} />
          </button>
        }
      >
        {isRefused && <p className={styles.problem}>{problem}</p>}
        <div className={styles.commands}>
          <Button onClick={() => change(inverted(filter))}>
            {t(filter.excluded ? 'query.filter.include' : 'query.filter.exclude')}
          </Button>
          <Button onClick={() => change({ ...filter, off: !filter.off })}>
            {t(filter.off ? 'query.filter.switchOn' : 'query.filter.switchOff')}
          </Button>
        </div>
        <Suspense fallback={<Loading />}>
          <FilterForm filter={filter} fields={fields} sources={sources} onSubmit={change} />
        </Suspense>
      </Popover>
      {isRefused && (
        <VisuallyHidden>
          <span id={problemId}>{problem}</span>
        </VisuallyHidden>
      )}
      <IconButton small icon={X} label={t('query.filter.remove', { filter: query })} onClick={onRemove} />
    </span>
  );
}
