import { createCaseResource } from '../../alerts/cases/case-resource.ts';
import { IngestService } from '../../alerts/ingest/ingest-service.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { eventDocument } from '../../documents/kinds/event.ts';
import type { Actor } from '../../identity/actor.ts';
import { openAlertServices } from './alert-services.ts';

/** For looking at what is stored. */
export const EVERYTHING = unrestricted('the test looks at what is stored');

/** The services of cases and of taking in records, beside those of alerts. `close` when done. */
export async function openCaseServices() {
  const services = await openAlertServices();
  const { datastore, shared, cases: store } = services;
  const cases = createCaseResource({ ...shared, store });
  const ingest = new IngestService({ hit: services.service, event: services.eventService });
  return {
    ...services,
    investigations: cases,
    ingest,
    eventCollection: datastore.collection(eventDocument),
    /** Makes a case and returns its identifier. */
    async aCase(actor: Actor, fields: Record<string, unknown> = {}): Promise<string> {
      const made = await cases.cases.create(actor, { title: 'Case', summary: 'A case', ...fields }, 'now');
      return made.case_id;
    },
    /** Stores an event and returns its identifier. */
    async anEvent(actor: Actor, fields: Record<string, unknown> = {}): Promise<string> {
      const { ids } = await ingest.create(actor, 'event', [fields], { unknown: 'refuse', visible: 'now' });
      return ids[0] ?? '';
    },
  };
}

export type CaseServices = Awaited<ReturnType<typeof openCaseServices>>;
