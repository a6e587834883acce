import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { choiceParameter, searchParameters, stringParameter } from '../../shell/search-parameters.ts';
import { CASE_TABS, type CaseTab } from './detail/case-tabs.ts';
import { CASE_SORTS, type CaseSort } from './list/case-sort.ts';

export const CASE_LAYOUTS = ['list', 'board'] as const;
export type CaseLayout = (typeof CASE_LAYOUTS)[number];

export interface CaseListParameters {
  readonly q?: string | undefined;
  readonly sort?: CaseSort | undefined;
  readonly layout?: CaseLayout | undefined;
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cases',
  validateSearch: searchParameters<CaseListParameters>({
    q: stringParameter(),
    sort: choiceParameter(CASE_SORTS),
    layout: choiceParameter(CASE_LAYOUTS),
  }),
  component: latePage(async () => (await import('./list/cases-page.tsx')).CasesPage),
});

export interface CaseParameters {
  readonly tab?: CaseTab | undefined;
  /** The item that is shown beside the tree. */
  readonly item?: string | undefined;
  /** The event that is shown beside the timeline. */
  readonly event?: string | undefined;
  /** Filters of the timeline: an escalation, and the identifier of a tactic or technique of ATT&CK. */
  readonly escalation?: string | undefined;
  readonly attack?: string | undefined;
}

const caseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cases/$id',
  validateSearch: searchParameters<CaseParameters>({
    tab: choiceParameter(CASE_TABS),
    item: stringParameter(),
    event: stringParameter(),
    escalation: stringParameter(),
    attack: stringParameter(),
  }),
  component: latePage(async () => (await import('./detail/case-page.tsx')).CasePage),
});

export const caseRoutes = [listRoute, caseRoute] as const;
