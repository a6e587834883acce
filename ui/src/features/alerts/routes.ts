import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { alertRoute } from './alert/alert-routes.ts';
import { readAlertListParameters } from './list/search/alert-search.ts';

export const alertListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: readAlertListParameters,
  component: lazyRouteComponent(() => import('./list/alerts-page.tsx'), 'AlertsPage'),
});

export const alertRoutes = [alertListRoute, alertRoute] as const;
