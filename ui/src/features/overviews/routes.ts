import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { readLayoutParameters } from '../saved/object-parameters.ts';

const overviewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/overviews',
  validateSearch: readLayoutParameters,
  component: latePage(async () => (await import('./overviews-page.tsx')).OverviewsPage),
});

export const overviewRoutes = [overviewsRoute] as const;
