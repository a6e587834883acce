/** The tabs of an alert, in their order. */
export const ALERT_TABS = ['overview', 'fields', 'raw', 'related', 'comments', 'history', 'analytic', 'cases'] as const;
export type AlertTab = (typeof ALERT_TABS)[number];
