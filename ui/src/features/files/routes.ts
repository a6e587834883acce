import { createRoute } from '@tanstack/react-router';
import { latePage } from '../../shell/late-page.tsx';
import { rootRoute } from '../../shell/root-route.tsx';
import { choiceParameter, searchParameters, stringParameter } from '../../shell/search-parameters.ts';

export const REPORT_TABS = ['results', 'files', 'tags', 'errors'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

export interface FileListParameters {
  readonly q?: string | undefined;
}

export interface ReportParameters {
  readonly tab?: ReportTab | undefined;
  /** The file, analyzer or section that is shown beside the list. */
  readonly item?: string | undefined;
}

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  validateSearch: searchParameters<FileListParameters>({ q: stringParameter() }),
  component: latePage(async () => (await import('./files-page.tsx')).FilesPage),
});

const reportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files/$id',
  validateSearch: searchParameters<ReportParameters>({ tab: choiceParameter(REPORT_TABS), item: stringParameter() }),
  component: latePage(async () => (await import('./report/report-page.tsx')).ReportPage),
});

export const fileRoutes = [listRoute, reportRoute] as const;
