import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { analyticsQuery } from '../../api/analytics-query.ts';
import { BarList } from '../../design/data/charts/bar-list.tsx';
import { TimeHistogram } from '../../design/data/charts/time-histogram.tsx';
import { type ColourToken, statusAppearance } from '../../design/data/marks/severity.ts';
import { StatusMark } from '../../design/data/marks/severity-marks.tsx';
import { UserName } from '../../design/data/values/user-name.tsx';
import { Value } from '../../design/data/values/value.tsx';
import { useTranslation } from '../../i18n/translation.ts';
import { UNASSIGNED } from '../alerts/triage/alert.ts';
import { rangeBetween, writeTimeRange } from '../query/model/time-range.ts';
import { Card } from './card.tsx';
import styles from './home.module.css';
import { OPEN } from './home-queries.ts';
import { valuesOverTime } from './open-over-time.ts';
import { queryOfPart, type ValuePart } from './value-parts.ts';

const HEIGHT = 72;
/** Milliseconds between two readings: a chart counts all alerts of its query several times. */
const REFETCH_MS = 60_000;
/** Colours of values without a colour of their own, in the order of their counts. */
const COLOURS: readonly ColourToken[] = ['accent', 'low', 'done', 'medium', 'high'];

type Field = 'howler.status' | 'howler.assignment' | 'howler.analytic';

interface Props {
  readonly title: string;
  readonly field: Field;
  /** Default: the open alerts. */
  readonly query?: string;
}

/** Draws alerts over time by the values of a field. A range, and a value, lead to their alerts. */
export function TimeCard({ title, field, query = OPEN }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const words = useWordsOf(field);
  const result = useQuery({
    queryKey: ['alerts', 'home-charts', query, field],
    queryFn: ({ signal }) => valuesOverTime(query, field, signal),
    refetchInterval: REFETCH_MS,
  });
  const open = (q: string, span?: string) => void navigate({ to: '/alerts', search: { q, span } });
  return (
    <Card title={title} list={{ q: query }} result={result}>
      {(data) =>
        data === null ? (
          <p className={styles.empty}>{t('home.nothingOpen')}</p>
        ) : (
          <>
            <TimeHistogram
              label={t('home.chartOf', { title })}
              hideLabel
              height={HEIGHT}
              buckets={data.buckets}
              series={data.parts.map((part, index) => {
                const { name, colour } = words(part, index);
                return { id: part.id, label: name, colour };
              })}
              from={data.from}
              to={data.to}
              onRange={(from, to) => open(query, writeTimeRange(rangeBetween(from, to)))}
            />
            <BarList
              label={title}
              items={data.parts.map((part, index) => {
                const { label, colour } = words(part, index);
                return { id: part.id, count: part.count, label, colour };
              })}
              onPick={(id) => {
                const part = data.parts.find((one) => one.id === id);
                if (part !== undefined) open(queryOfPart(query, field, data.parts, part));
              }}
            />
          </>
        )
      }
    </Card>
  );
}

interface PartWords {
  readonly name: string;
  readonly label: ReactNode;
  readonly colour: ColourToken;
}

/** Returns how people read the values of a field, and the colours of their bars. */
function useWordsOf(field: Field): (part: ValuePart, index: number) => PartWords {
  const { t } = useTranslation();
  // The index has names of analytics in lower case.
  const { data: analytics = [] } = useQuery({ ...analyticsQuery, enabled: field === 'howler.analytic' });
  const names = new Map(analytics.map(({ name = '' }) => [name.toLowerCase(), name]));
  return ({ value }, index) => {
    if (value === undefined) return { name: t('alerts.otherParts'), label: t('alerts.otherParts'), colour: 'text-3' };
    const colour = COLOURS[index % COLOURS.length] ?? 'accent';
    if (field === 'howler.status') {
      const appearance = statusAppearance(value);
      const name = appearance === undefined ? value : t(`data.${appearance.message}`);
      return { name, label: <StatusMark value={value} />, colour: appearance?.colour ?? colour };
    }
    if (field === 'howler.assignment') {
      const name = value === UNASSIGNED ? t('data.user.unassigned') : value;
      return { name, label: <UserName user={value} />, colour };
    }
    const name = names.get(value.toLowerCase()) ?? value;
    return { name, label: <Value value={name} inline />, colour };
  };
}
