import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { readObjectParameters } from '../saved/object-parameters.ts';

const dossiersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dossiers',
  validateSearch: readObjectParameters,
  component: latePage(async () => (await import('./dossiers-page.tsx')).DossiersPage),
});

export const dossierRoutes = [dossiersRoute] as const;
