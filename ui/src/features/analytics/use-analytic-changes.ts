import { useQueryClient } from '@tanstack/react-query';
import { analyticsQuery } from '../../api/analytics-query.ts';

/** Returns what reads analytics again. */
export function useAnalyticRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: analyticsQuery.queryKey });
}

/** Returns what runs a change, and reads analytics again. */
export function useAnalyticChange(): (request: Promise<unknown>) => Promise<void> {
  const refresh = useAnalyticRefresh();
  return async (request) => {
    await request;
    await refresh();
  };
}
