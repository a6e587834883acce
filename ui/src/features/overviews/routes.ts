import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

const overviewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/overviews',
  validateSearch: searchParameters<{ readonly id?: string | undefined }>({ id: stringParameter() }),
  component: lazyRouteComponent(() => import('./overviews-page.tsx'), 'OverviewsPage'),
});

export const overviewRoutes = [overviewsRoute] as const;
