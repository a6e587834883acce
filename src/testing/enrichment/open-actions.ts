import { ActionService } from '../../enrichment/offers/actions/action-service.ts';
import { aCaller, anAction, type OfferingSource, openOfferingSources } from './offering-sources.ts';

type Run = Partial<Parameters<ActionService['run']>[0]>;

/** The body of a request, the caller and the result of a usual action. */
export const ACTION_BODY = { selector: { type: 'domain', value: 'x' } };
export const ACTION_CALLER = aCaller('TLP:CLEAR');
export const ACTION_RESULT = { outcome: 'success', summary: 'done', output: 'text', format: 'markdown' };

/** For tests: the actions of these sources. */
export function openActions(sources: Readonly<Record<string, OfferingSource>>) {
  const { directory, engine, log, warnings } = openOfferingSources(sources);
  return { service: new ActionService({ sources: directory, engine, languages: ['en', 'fr'], log }), warnings };
}

/** For tests: one source with the action `note`, and a function that runs it. */
export function openAction(runAction: (id: string, body: unknown) => Promise<unknown>) {
  const deadlines: number[] = [];
  const { service } = openActions({
    plugin: {
      actions: async () => ({ note: anAction('note') }),
      runAction: async (id, body, { deadline }) => {
        deadlines.push(deadline);
        return runAction(id, body);
      },
    },
  });
  const usual = { source: 'plugin', action: 'note', body: ACTION_BODY, timeout: undefined };
  return { deadlines, run: (changes: Run) => service.run({ ...usual, ...changes }, ACTION_CALLER) };
}
