import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: latePage(async () => (await import('./home-page.tsx')).HomePage),
});

export const homeRoutes = [homeRoute] as const;
