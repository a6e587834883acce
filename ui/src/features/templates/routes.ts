import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

const templatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/templates',
  validateSearch: searchParameters<{ readonly id?: string | undefined }>({ id: stringParameter() }),
  component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
});

export const templateRoutes = [templatesRoute] as const;
