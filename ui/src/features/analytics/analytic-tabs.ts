/** The tabs of an analytic, in their order. */
export const ANALYTIC_TABS = ['about', 'triage', 'comments', 'alertComments', 'templates', 'overviews'] as const;
export type AnalyticTab = (typeof ANALYTIC_TABS)[number];
