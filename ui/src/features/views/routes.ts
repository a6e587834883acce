import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { readObjectParameters } from '../saved/object-parameters.ts';

const viewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/views',
  validateSearch: readObjectParameters,
  component: latePage(async () => (await import('./views-page.tsx')).ViewsPage),
});

export const viewRoutes = [viewsRoute] as const;
