import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

export interface ViewsParameters {
  /** The view that is edited; `new` for another one. */
  readonly id?: string | undefined;
  /** Words that the listed views have. */
  readonly q?: string | undefined;
}

const viewsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/views',
  validateSearch: searchParameters<ViewsParameters>({ id: stringParameter(), q: stringParameter() }),
  component: lazyRouteComponent(() => import('./views-page.tsx'), 'ViewsPage'),
});

export const viewRoutes = [viewsRoute] as const;
