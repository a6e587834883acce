import { type Event, eventDocument } from '../../documents/kinds/event.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import type { NewHitOptions } from '../hits/ingest/new-hit.ts';
import { identify, RawRecord } from '../hits/ingest/raw-record.ts';

export interface NewEvent {
  readonly event: Event;
  /** For the sender, in the public system's words. */
  readonly warnings: readonly string[];
}

/**
 * An event as a tool sends it, made into one that can be stored, by those of the rules for alerts that apply (contract/alert.md section
 * 3.4): a new identifier, a hash when none came, and the times that are missing. Pure but for the identifier.
 * @param input nested, flat (`source.ip`) or mixed; not changed
 * @throws InvalidInput `invalid_document` or `invalid_classification`, with the first thing that is wrong
 */
export function readNewEvent(input: unknown, { classification, now, unknown = 'refuse' }: NewHitOptions): NewEvent {
  const prepared = new RawRecord(input, 'event').prepared();
  const { document: event, warnings } = readDocument(eventDocument, prepared, { unknown, classification, now });
  identify(event, formatDate(now));
  return { event, warnings };
}
