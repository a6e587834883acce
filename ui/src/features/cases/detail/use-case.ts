import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '../../../api/live.ts';
import { type Case, caseApi } from '../case-api.ts';

export const CASES_KEY = ['alerts', 'case'] as const;
export const caseKey = (id: string) => [...CASES_KEY, 'one', id] as const;
export const CASE_LIST_KEY = [...CASES_KEY, 'list'] as const;

/** Reads a case and follows its changes in other windows. */
export function useCase(id: string) {
  const queries = useQueryClient();
  useEffect(() => {
    const stopFrames = live.on('cases', ({ case: changed }) => {
      if (isCase(changed) && changed.case_id === id) queries.setQueryData(caseKey(id), changed);
    });
    // Frames of the time without a connection are lost.
    const stopReconnects = live.on('reconnected', () => void queries.invalidateQueries({ queryKey: caseKey(id) }));
    return () => {
      stopFrames();
      stopReconnects();
    };
  }, [id, queries]);
  return useQuery({ queryKey: caseKey(id), queryFn: ({ signal }) => caseApi.read(id, signal) });
}

function isCase(value: unknown): value is Case {
  return typeof value === 'object' && value !== null && 'case_id' in value;
}
