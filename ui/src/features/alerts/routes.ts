import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { alertRoute } from './alert/alert-routes.ts';
import { readAlertListParameters } from './list/search/alert-search.ts';

export const alertListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: readAlertListParameters,
  component: latePage(async () => (await import('./list/alerts-page.tsx')).AlertsPage),
});

export const alertRoutes = [alertListRoute, alertRoute] as const;
