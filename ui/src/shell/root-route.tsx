import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

/** The parent of the routes of all features. */
export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
});
