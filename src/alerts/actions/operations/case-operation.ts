import { DestinationTemplate } from '../../cases/case-destination.ts';
import type { CaseItemService, FilingReport } from '../../cases/case-item-service.ts';
import type { HitService } from '../../hits/hit-service.ts';
import { type Operation, type Outcome, queryOfIds, refused, skipped, specified, textArgument } from '../operation.ts';

interface CaseOperationDependencies {
  items: Pick<CaseItemService, 'file'>;
  service: Pick<HitService, 'getVisible'>;
}

const DESTINATION = 'related/{{howler.analytic}} ({{howler.id}})';
/** Alerts that one run files. */
const MAX_FILED = 1000;

/** `add_to_case`: files alerts in a case. */
export function addToCase({ items, service }: CaseOperationDependencies): Operation {
  return {
    specification: specified({
      id: 'add_to_case',
      title: 'Add to Case',
      priority: 9,
      short: 'File alerts in a case',
      long: `Puts every alert of the query into a case, the first ${MAX_FILED} of them.\n\n- \`case_id\`: identifier of the case.\n- \`destination\`: where in the case each alert lies, a Mustache template over the fields of the alert: folders with slashes between them, then a name. Default: \`${DESTINATION}\`.`,
      roles: ['automation_basic'],
      steps: [{ args: { case_id: [], destination: [] }, options: {} }],
    }),
    async run({ actor, selection }, given) {
      const { query } = selection;
      const caseId = textArgument(given, 'case_id');
      if (caseId === undefined) return [refused(query, 'Missing Case ID', 'A case_id must be provided.')];
      const destination = new DestinationTemplate(textArgument(given, 'destination') ?? DESTINATION);
      const { ids, total } = await selection.ids(MAX_FILED);
      const hits = await service.getVisible(actor, ids);
      const records = hits.map((record) => ({ type: 'hit', record, destination }) as const);
      const report = await items.file(actor, caseId, records, 'now');
      if (report === undefined) return [refused(query, 'Case Not Found', `No case with ID '${caseId}' exists.`)];
      if (records.length === 0) return [skipped(query, 'No Matching Hits', 'No hits matched this query.')];
      const outcomes = outcomesOf(report, caseId);
      if (total <= MAX_FILED) return outcomes;
      const message = `${total} hits match this query, of which the first ${MAX_FILED} were looked at.`;
      return [...outcomes, skipped(query, 'Too Many Hits', message)];
    },
  };
}

function outcomesOf({ filed, present, refused: rejected }: FilingReport, caseId: string): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  if (filed.length > 0) {
    const message = `${filed.length} hits were added to the case '${caseId}'.`;
    outcomes.push({ query: queryOfIds(filed), outcome: 'success', title: 'Added to Case', message });
  }
  if (present.length > 0) {
    outcomes.push(skipped(queryOfIds(present), 'Skipped Hits', `These hits lie in the case '${caseId}' already.`));
  }
  for (const { id, error } of rejected) outcomes.push(skipped(queryOfIds([id]), 'Skipped Hits', error.message));
  return outcomes;
}
