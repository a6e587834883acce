import { useQueryClient } from '@tanstack/react-query';
import { analyticsQuery } from './analytic-queries.ts';

/** Returns what runs a change, and reads analytics again. */
export function useAnalyticChange(): (request: Promise<unknown>) => Promise<void> {
  const queryClient = useQueryClient();
  return async (request) => {
    await request;
    await queryClient.invalidateQueries({ queryKey: analyticsQuery.queryKey });
  };
}
