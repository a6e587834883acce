import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

export interface ActionParameters {
  /** The open action; `new` for one that is being made; none: the list. */
  readonly id?: string | undefined;
  /** The query that a new action begins with. */
  readonly q?: string | undefined;
}

/** The `id` of an action that is not stored yet. */
export const NEW_ACTION = 'new';

export const actionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/actions',
  validateSearch: searchParameters<ActionParameters>({ id: stringParameter(), q: stringParameter() }),
  component: lazyRouteComponent(() => import('./actions-page.tsx'), 'ActionsPage'),
});

export const actionRoutes = [actionsRoute] as const;
