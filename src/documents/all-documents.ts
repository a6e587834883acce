import { actionDocument } from './kinds/action.ts';
import { alertDocument } from './kinds/analysis/alert.ts';
import { ARCHIVED_DOCUMENTS } from './kinds/analysis/archived.ts';
import { badlistDocument } from './kinds/analysis/badlist.ts';
import { cachedFileDocument } from './kinds/analysis/cached-file.ts';
import { emptyResultDocument } from './kinds/analysis/empty-result.ts';
import { errorDocument } from './kinds/analysis/error.ts';
import { fileDocument } from './kinds/analysis/file.ts';
import { filescoreDocument } from './kinds/analysis/filescore.ts';
import { heuristicDocument } from './kinds/analysis/heuristic.ts';
import { resultDocument } from './kinds/analysis/result.ts';
import { retrohuntDocument } from './kinds/analysis/retrohunt.ts';
import { safelistDocument } from './kinds/analysis/safelist.ts';
import { serviceDocument } from './kinds/analysis/service.ts';
import { serviceDeltaDocument } from './kinds/analysis/service-delta.ts';
import { signatureDocument } from './kinds/analysis/signature.ts';
import { submissionDocument } from './kinds/analysis/submission.ts';
import { submissionSummaryDocument } from './kinds/analysis/submission-summary.ts';
import { submissionTreeDocument } from './kinds/analysis/submission-tree.ts';
import { workflowDocument } from './kinds/analysis/workflow.ts';
import { analyticDocument } from './kinds/analytic.ts';
import { caseDocument } from './kinds/case.ts';
import { dossierDocument } from './kinds/dossier.ts';
import { eventDocument } from './kinds/event.ts';
import { hitDocument } from './kinds/hit.ts';
import { installationDocument } from './kinds/installation.ts';
import { migrationDocument } from './kinds/migration.ts';
import { overviewDocument } from './kinds/overview.ts';
import { templateDocument } from './kinds/template.ts';
import { userDocument } from './kinds/user.ts';
import {
  userAvatarDocument,
  userFavoritesDocument,
  userPreferencesDocument,
  userSettingsDocument,
} from './kinds/user-records.ts';
import { viewDocument } from './kinds/view.ts';

/** Kinds of the analysis service. */
export const ANALYSIS_DOCUMENTS = [
  submissionDocument,
  fileDocument,
  resultDocument,
  emptyResultDocument,
  errorDocument,
  filescoreDocument,
  serviceDocument,
  serviceDeltaDocument,
  heuristicDocument,
  signatureDocument,
  safelistDocument,
  badlistDocument,
  workflowDocument,
  alertDocument,
  retrohuntDocument,
  submissionTreeDocument,
  submissionSummaryDocument,
  cachedFileDocument,
] as const;

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
  userPreferencesDocument,
  installationDocument,
  ...ANALYSIS_DOCUMENTS,
] as const;

/** Returns the kinds that an installation with these settings has collections of. */
export function documentsInUse({
  analysis,
}: {
  readonly analysis: { readonly datastore: { readonly archive: { readonly enabled: boolean } } };
}) {
  return analysis.datastore.archive.enabled ? [...ALL_DOCUMENTS, ...ARCHIVED_DOCUMENTS] : ALL_DOCUMENTS;
}
