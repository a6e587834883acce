import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { escapedTerm } from '../../../../src/datastore/query-language/written-values.ts';
import { BarList } from '../../design/data/charts/bar-list.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { Card } from './card.tsx';
import { HOME_KEY, valueCounts } from './home-data.ts';

const ROWS = 8;

/** Counts of the values of a field; each leads to its alerts. */
export function CountCard({ title, field, query }: { title: string; field: string; query: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const result = useQuery({
    queryKey: [...HOME_KEY, 'counts', query, field],
    queryFn: ({ signal }) => valueCounts(query, field, ROWS, signal),
  });
  const open = (value: string) => {
    const condition = `${field}:${escapedTerm(value)}`;
    const q = query === '*:*' ? condition : `${query} AND ${condition}`;
    void navigate({ to: '/alerts', search: { q } });
  };
  return (
    <Card title={title} list={{ q: query }} result={result}>
      {(counts) => (
        <BarList
          label={title}
          items={counts.map(({ value, count }) => ({
            id: value,
            count,
            label: value === '' ? t('common.none') : <Value value={value} inline />,
          }))}
          onPick={open}
        />
      )}
    </Card>
  );
}
