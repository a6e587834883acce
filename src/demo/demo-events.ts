import { createHash } from 'node:crypto';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Collection } from '../datastore/port/collection.ts';
import { type Event, eventDocument } from '../documents/kinds/event.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import type { DemoRandom } from './demo-random.ts';
import { eventInputs } from './event-inputs.ts';
import { saveAll } from './save-all.ts';

export interface DemoEventDependencies {
  events: Collection<Event>;
  classification: ClassificationEngine;
  now: Date;
  random: DemoRandom;
}

/** Writes `count` observations; oldest first. */
export async function createDemoEvents(
  { events, classification, now, random }: DemoEventDependencies,
  count: number,
): Promise<readonly Event[]> {
  const documents = eventInputs(count, now, random, classification.unrestricted).map(({ at, input }) => {
    const { document } = readDocument(
      eventDocument,
      { ...input, 'howler.hash': createHash('sha256').update(JSON.stringify(input)).digest('hex') },
      { unknown: 'refuse', classification, now: at },
    );
    const id = random.id();
    return { ...document, event: { ...document.event, id }, howler: { ...document.howler, id } } as Event;
  });
  await saveAll(events, documents, (event) => event.howler.id);
  return documents;
}
