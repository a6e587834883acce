import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

const analyticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/analytics',
  validateSearch: searchParameters<{ readonly q?: string | undefined }>({ q: stringParameter() }),
  component: lazyRouteComponent(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
});

const analyticRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/analytics/$id',
  component: lazyRouteComponent(() => import('./analytic-page.tsx'), 'AnalyticPage'),
});

export const analyticRoutes = [analyticsRoute, analyticRoute] as const;
