import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { choiceParameter, searchParameters, stringParameter } from '../../shell/search-parameters.ts';

/** The interfaces that are described, each a tab. */
export const DESCRIBED = ['alerts', 'analysis', 'enrichment', 'operations', 'web'] as const;
export type Described = (typeof DESCRIBED)[number];

export interface ApiReferenceParameters {
  readonly service?: Described | undefined;
  /** Words of the search. */
  readonly q?: string | undefined;
  /** The open route: its `operationId`. */
  readonly route?: string | undefined;
}

export const apiReferenceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/api-reference',
  validateSearch: searchParameters<ApiReferenceParameters>({
    service: choiceParameter(DESCRIBED),
    q: stringParameter(),
    route: stringParameter(),
  }),
  staticData: {
    pageLinks: {
      page: 'apiReference',
      links: DESCRIBED.map((service) => ({
        name: (t) => t(`apiReference.services.${service}`),
        href: `/api-reference?service=${service}`,
      })),
    },
  },
  component: latePage(async () => (await import('./api-reference-page.tsx')).ApiReferencePage),
});

export const apiReferenceRoutes = [apiReferenceRoute] as const;
