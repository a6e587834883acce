export const CASE_TABS = ['overview', 'items', 'tasks', 'timeline', 'observables', 'rules', 'log'] as const;
export type CaseTab = (typeof CASE_TABS)[number];
