import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { readObjectParameters } from '../saved/object-parameters.ts';

const viewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/views',
  validateSearch: readObjectParameters,
  component: lazyRouteComponent(() => import('./views-page.tsx'), 'ViewsPage'),
});

export const viewRoutes = [viewsRoute] as const;
