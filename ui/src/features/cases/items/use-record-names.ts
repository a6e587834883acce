import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { caseRecords, recordOutline } from '../case-records.ts';
import { CASES_KEY } from '../detail/use-case.ts';
import type { RecordNames } from './item-tree.ts';

/** Records whose names are read; further ones are shown by their identifiers. */
const MAX_RECORDS = 1_000;
const NO_NAMES: RecordNames = new Map();

/** Returns what the alerts and events of a case are about, by their identifiers. */
export function useRecordNames(caseId: string, updated: string | undefined): RecordNames {
  const { data } = useQuery({
    queryKey: [...CASES_KEY, 'names', caseId, updated],
    queryFn: async ({ signal }) => {
      const { items } = await caseRecords.page(caseId, { offset: 0, rows: MAX_RECORDS }, signal);
      return new Map(
        items.map((record) => [
          record.howler.id,
          [record.howler.analytic, recordOutline(record)]
            .filter((part) => part !== undefined && part !== '')
            .join(' · '),
        ]),
      );
    },
    placeholderData: keepPreviousData,
  });
  return data ?? NO_NAMES;
}
