import { useQuery } from '@tanstack/react-query';
import { countRecords } from '../../api/alert-searches.ts';
import { useTranslation } from '../../i18n/translation.ts';

interface Props {
  /** Finds the records that depend on an object, as it is stored. */
  readonly query: string;
  /** Kind of the records. Default: alerts. */
  readonly index?: string;
  /** Returns what their number means. */
  readonly children: (count: number) => string;
}

/** Says how many records depend on an object, and says so where they are not counted yet or cannot be. */
export function Dependants({ query, index = 'hit', children }: Props) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['alerts', index, 'dependants', query],
    queryFn: ({ signal }) => countRecords({ query }, { indexes: index, signal }),
    // The number of an earlier question may be another one now.
    gcTime: 0,
    retry: false,
  });
  if (error !== null) return <p>{t('saved.notCounted')}</p>;
  return <p>{data === undefined ? t('saved.counting') : children(data)}</p>;
}
