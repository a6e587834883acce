import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { choiceParameter, searchParameters, stringParameter } from '../../shell/search-parameters.ts';
import { OPINIONS, type Opinion, SORTS, type SortColumn } from './findings.ts';

/** The state of the table of findings. The pasted text is not part of the address. */
export interface LookUpParameters {
  readonly opinion?: Opinion | undefined;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly sort?: SortColumn | undefined;
  readonly direction?: 'ascending' | undefined;
}

const lookUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/enrichment',
  validateSearch: searchParameters<LookUpParameters>({
    opinion: choiceParameter(OPINIONS),
    type: stringParameter(),
    source: stringParameter(),
    sort: choiceParameter(SORTS),
    direction: choiceParameter(['ascending']),
  }),
  component: latePage(async () => (await import('./look-up-page.tsx')).LookUpPage),
});

export const lookUpRoutes = [lookUpRoute] as const;
