import { createRoute, redirect } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

/** The pages of administrators, each an address below `/administration`. */
export const SECTIONS = [
  'health',
  'users',
  'jobs',
  'queues',
  'indices',
  'migrations',
  'settings',
  'lock-outs',
  'audit',
] as const;
export type Section = (typeof SECTIONS)[number];

export interface AdministrationParameters {
  /** The open object of the section, for example a user. */
  readonly id?: string | undefined;
  /** Words or a user name to search for. */
  readonly q?: string | undefined;
  /** Kind of security events. */
  readonly event?: string | undefined;
  /** The time that the events are of, as `writeTimeRange` writes it. */
  readonly time?: string | undefined;
}

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration',
  beforeLoad: () => {
    throw redirect({ to: '/administration/$section', params: { section: 'health' } });
  },
});

const sectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration/$section',
  validateSearch: searchParameters<AdministrationParameters>({
    id: stringParameter(),
    q: stringParameter(),
    event: stringParameter(),
    time: stringParameter(),
  }),
  staticData: {
    pageLinks: {
      page: 'administration',
      links: SECTIONS.map((section) => ({
        name: (t) => t(`administration.sections.${section}`),
        href: `/administration/${section}`,
      })),
    },
  },
  component: latePage(async () => (await import('./administration-page.tsx')).AdministrationPage),
});

export const administrationRoutes = [indexRoute, sectionRoute] as const;
