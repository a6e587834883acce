import { useQuery } from '@tanstack/react-query';
import { analysis, dataOf } from '../../../api/clients.ts';
import { listMember, memberOf, stringMember } from '../../../json/members.ts';
import { type Report, readReport } from './report.ts';

const POLL_MS = 1_000;

export interface LiveReport {
  /** Undefined until the first answer. */
  readonly report: Report | undefined;
  readonly isRunning: boolean;
  /** Files that analyzers have still to do, by analyzer. */
  readonly outstanding: ReadonlyMap<string, number>;
  readonly problem: Error | null;
  readonly retry: () => void;
}

/**
 * Reads a submission every second until it is completed. The whole report, which may be large, is read
 * again only when something was added.
 */
export function useReport(sid: string): LiveReport {
  const path = { params: { path: { sid } } };
  const status = useQuery({
    queryKey: ['analysis', 'submission', sid],
    queryFn: async ({ signal }) => {
      const document: unknown = await dataOf(analysis.GET('/api/v4/submission/{sid}/', { ...path, signal }));
      const state = stringMember(document, 'state');
      const files = memberOf(document, 'file_count');
      return { state, stage: `${state} ${listMember(document, 'results').length} ${files}` };
    },
    refetchInterval: ({ state: { data } }) => (data === undefined || data.state === 'submitted' ? POLL_MS : false),
  });
  const isRunning = status.data?.state === 'submitted';
  const report = useQuery({
    queryKey: ['analysis', 'submission', sid, 'full', status.data?.stage],
    queryFn: async ({ signal }) =>
      readReport(await dataOf(analysis.GET('/api/v4/submission/full/{sid}/', { ...path, signal }))),
    enabled: status.data !== undefined,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const outstanding = useQuery({
    queryKey: ['analysis', 'submission', sid, 'outstanding'],
    queryFn: async ({ signal }) =>
      new Map(
        Object.entries(await dataOf(analysis.GET('/api/v4/live/outstanding_services/{sid}/', { ...path, signal }))),
      ),
    enabled: isRunning,
    refetchInterval: POLL_MS,
  });
  return {
    report: report.data,
    isRunning,
    outstanding: (isRunning ? outstanding.data : undefined) ?? NONE,
    problem: status.error ?? report.error,
    retry: () => {
      void status.refetch();
      if (report.isError) void report.refetch();
    },
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
