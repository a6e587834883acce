import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '../../../api/live.ts';
import { onLiveChanges } from '../../../api/live-changes.ts';
import { CASE_LIST_KEY } from '../detail/use-case.ts';

/** Reads the list again after cases changed in other windows. */
export function useCaseListChanges(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const run = () => void queries.invalidateQueries({ queryKey: CASE_LIST_KEY });
    return onLiveChanges(live, { types: ['cases'], run });
  }, [queries]);
}
