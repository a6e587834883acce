import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { choiceParameter, searchParameters, stringParameter } from '../../shell/search-parameters.ts';
import { ANALYTIC_TABS, type AnalyticTab } from './analytic-tabs.ts';

const analyticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/analytics',
  validateSearch: searchParameters<{ readonly q?: string | undefined }>({ q: stringParameter() }),
  component: latePage(async () => (await import('./analytics-page.tsx')).AnalyticsPage),
});

export interface AnalyticParameters {
  readonly tab?: AnalyticTab | undefined;
  /** The detection whose comments are shown; none: all. */
  readonly detection?: string | undefined;
}

const analyticRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/analytics/$id',
  validateSearch: searchParameters<AnalyticParameters>({
    tab: choiceParameter(ANALYTIC_TABS),
    detection: stringParameter(),
  }),
  component: latePage(async () => (await import('./analytic-page.tsx')).AnalyticPage),
});

export const analyticRoutes = [analyticsRoute, analyticRoute] as const;
