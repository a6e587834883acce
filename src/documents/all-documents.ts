import { actionDocument } from './kinds/action.ts';
import { analyticDocument } from './kinds/analytic.ts';
import { caseDocument } from './kinds/case.ts';
import { dossierDocument } from './kinds/dossier.ts';
import { eventDocument } from './kinds/event.ts';
import { heuristicDocument } from './kinds/heuristic.ts';
import { hitDocument } from './kinds/hit.ts';
import { installationDocument } from './kinds/installation.ts';
import { migrationDocument } from './kinds/migration.ts';
import { overviewDocument } from './kinds/overview.ts';
import { templateDocument } from './kinds/template.ts';
import { userDocument } from './kinds/user.ts';
import { userAvatarDocument, userFavoritesDocument, userSettingsDocument } from './kinds/user-records.ts';
import { viewDocument } from './kinds/view.ts';

/** Every kind of document. */
export const ALL_DOCUMENTS = [
  hitDocument,
  eventDocument,
  caseDocument,
  templateDocument,
  overviewDocument,
  analyticDocument,
  actionDocument,
  migrationDocument,
  userDocument,
  viewDocument,
  dossierDocument,
  userAvatarDocument,
  userSettingsDocument,
  userFavoritesDocument,
  heuristicDocument,
  installationDocument,
] as const;
