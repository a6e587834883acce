import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { featureRoutes } from '../features/feature-routes.ts';
import { rootRoute } from './root-route.tsx';

export const router = createRouter({
  routeTree: rootRoute.addChildren(featureRoutes),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Set by RouterProvider.
  context: { queryClient: undefined as unknown as QueryClient },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
