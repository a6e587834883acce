import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';
import type { ObjectParameters } from '../saved/object-parameters.ts';

export interface ActionParameters extends ObjectParameters {
  /** The query that a new action begins with. */
  readonly query?: string | undefined;
}

export const actionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/actions',
  validateSearch: searchParameters<ActionParameters>({
    id: stringParameter(),
    q: stringParameter(),
    query: stringParameter(),
  }),
  component: latePage(async () => (await import('./actions-page.tsx')).ActionsPage),
});

export const actionRoutes = [actionsRoute] as const;
