import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { choiceParameter, searchParameters } from '../../shell/search-parameters.ts';

export const SETTINGS_TABS = ['profile', 'preferences', 'security', 'keys', 'sessions'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  validateSearch: searchParameters<{ readonly tab?: SettingsTab | undefined }>({ tab: choiceParameter(SETTINGS_TABS) }),
  staticData: {
    pageLinks: {
      page: 'settings',
      links: SETTINGS_TABS.map((tab) => ({ name: (t) => t(`settings.tabs.${tab}`), href: `/settings?tab=${tab}` })),
    },
  },
  component: latePage(async () => (await import('./settings-page.tsx')).SettingsPage),
});

export const settingsRoutes = [settingsRoute] as const;
