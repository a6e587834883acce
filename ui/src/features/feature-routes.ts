import { actionRoutes } from './actions/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { analyticRoutes } from './analytics/routes.ts';
import { apiReferenceRoutes } from './api-reference/routes.ts';
import { caseRoutes } from './cases/routes.ts';
import { dossierRoutes } from './dossiers/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { lookUpRoutes } from './look-up/routes.ts';
import { overviewRoutes } from './overviews/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { viewRoutes } from './views/routes.ts';

/** The routes of all features, in one tuple, so that links are typed. */
export const featureRoutes = [
  ...actionRoutes,
  ...administrationRoutes,
  ...alertRoutes,
  ...analyticRoutes,
  ...apiReferenceRoutes,
  ...caseRoutes,
  ...dossierRoutes,
  ...fileRoutes,
  ...homeRoutes,
  ...lookUpRoutes,
  ...overviewRoutes,
  ...settingsRoutes,
  ...templateRoutes,
  ...viewRoutes,
] as const;
