import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../../shell/late-page.tsx';
import { rootRoute } from '../../../shell/root-route.tsx';
import { choiceParameter, searchParameters } from '../../../shell/search-parameters.ts';
import { ALERT_TABS, type AlertTab } from './alert-tabs.ts';

/** One alert alone, for links. */
export const alertRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts/$id',
  validateSearch: searchParameters<{ readonly tab?: AlertTab | undefined }>({ tab: choiceParameter(ALERT_TABS) }),
  component: latePage(async () => (await import('./alert-page.tsx')).AlertPage),
});
