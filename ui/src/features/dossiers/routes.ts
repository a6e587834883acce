import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

const dossiersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dossiers',
  validateSearch: searchParameters<{ readonly id?: string | undefined }>({ id: stringParameter() }),
  component: lazyRouteComponent(() => import('./dossiers-page.tsx'), 'DossiersPage'),
});

export const dossierRoutes = [dossiersRoute] as const;
