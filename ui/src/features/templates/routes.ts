import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { readLayoutParameters } from '../saved/object-parameters.ts';

const templatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/templates',
  validateSearch: readLayoutParameters,
  component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
});

export const templateRoutes = [templatesRoute] as const;
