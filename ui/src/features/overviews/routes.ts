import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { readLayoutParameters } from '../saved/object-parameters.ts';

const overviewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/overviews',
  validateSearch: readLayoutParameters,
  component: lazyRouteComponent(() => import('./overviews-page.tsx'), 'OverviewsPage'),
});

export const overviewRoutes = [overviewsRoute] as const;
