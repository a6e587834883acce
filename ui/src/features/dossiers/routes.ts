import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { readObjectParameters } from '../saved/object-parameters.ts';

const dossiersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dossiers',
  validateSearch: readObjectParameters,
  component: lazyRouteComponent(() => import('./dossiers-page.tsx'), 'DossiersPage'),
});

export const dossierRoutes = [dossiersRoute] as const;
