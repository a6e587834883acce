import { gatheredFrom } from '../alerts/cases/case-items.ts';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Collection } from '../datastore/port/collection.ts';
import { type Case, caseDocument } from '../documents/kinds/case.ts';
import type { Event } from '../documents/kinds/event.ts';
import type { Hit } from '../documents/kinds/hit.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import { formatDate } from '../documents/schema/values/date-values.ts';
import { CASE_STORIES, type CaseStory } from './case-stories.ts';
import type { DemoRandom } from './demo-random.ts';
import { saveAll } from './save-all.ts';

export interface DemoCaseDependencies {
  cases: Collection<Case>;
  hits: Collection<Hit>;
  events: Collection<Event>;
  classification: ClassificationEngine;
  now: Date;
  random: DemoRandom;
}

interface Members {
  readonly hits: readonly Hit[];
  readonly events: readonly Event[];
}

/** Alerts and observations of a case at most. */
const MAX_HITS = 8;
const MAX_EVENTS = 4;
const HOUR = 3_600_000;

/** Writes the cases, and in every alert and observation that one of them holds the reference back. */
export async function createDemoCases(dependencies: DemoCaseDependencies, records: Members): Promise<void> {
  const { cases, hits, events } = dependencies;
  const made = CASE_STORIES.map((story) => {
    const members = membersOf(story, records);
    return { members, document: caseOf(story, members, dependencies) };
  });
  await saveAll(
    cases,
    made.map(({ document }) => document),
    (document) => document.case_id,
  );
  const references = made.flatMap(({ members, document: { case_id: caseId } }) => [
    ...members.hits.map((hit) => hits.update(hit.howler.id, referenceTo(caseId))),
    ...members.events.map((event) => events.update(event.howler.id, referenceTo(caseId))),
  ]);
  await Promise.all(references);
}

function referenceTo(caseId: string) {
  return [{ op: 'append_missing', path: 'howler.related', value: caseId } as const];
}

/** Returns unrestricted alerts, and observations of the same hosts. */
function membersOf(story: CaseStory, { hits, events }: Members): Members {
  const everybody = hits.filter((hit) => hit.classification === hits[0]?.classification);
  const chosen = everybody.filter(story.includes).slice(-MAX_HITS);
  const hosts = new Set(chosen.flatMap((hit) => hit.host?.name ?? []));
  const near = events.filter((event) => hosts.has(event.host?.name ?? '')).slice(-MAX_EVENTS);
  return { hits: chosen, events: near };
}

function caseOf(
  story: CaseStory,
  { hits, events }: Members,
  { classification, now, random }: DemoCaseDependencies,
): Case {
  const item = (fields: Readonly<Record<string, unknown>>) => ({ id: random.id(), visible: true, ...fields });
  const alerts = item({ type: 'folder', name: 'alerts', value: 'alerts' });
  const observed = item({ type: 'folder', name: 'observations', value: 'observations' });
  const times = hits.flatMap((hit) => hit.event?.created ?? []).sort();
  // Made when the second alert had shown that the first was no accident; later ones were added.
  const noticed = Date.parse(times[1] ?? times[0] ?? now.toISOString());
  const created = new Date(Math.min(noticed + random.integer(1, 9) * HOUR, now.getTime() - HOUR));
  const updated = new Date(Math.min(created.getTime() + random.integer(1, 30) * HOUR, now.getTime() - 60_000));
  const { rule } = story;
  return readDocument(
    caseDocument,
    {
      case_id: random.id(),
      title: story.title,
      summary: story.summary,
      overview: story.overview,
      escalation: story.escalation,
      status: story.status,
      classification: classification.unrestricted,
      created: formatDate(created),
      updated: formatDate(updated),
      start: times[0],
      end: times.at(-1),
      participants: story.participants,
      ...gatheredFrom(hits),
      items: [
        alerts,
        ...hits.map((hit) =>
          item({
            type: 'hit',
            parent: alerts.id,
            name: `${hit.howler.analytic} (${hit.howler.id})`,
            value: hit.howler.id,
            classification: hit.classification,
          }),
        ),
        ...(events.length > 0 ? [observed] : []),
        ...events.map((event) =>
          item({
            type: 'event',
            parent: observed.id,
            name: event.message || event.howler.id,
            value: event.howler.id,
            classification: event.classification,
          }),
        ),
        item({ type: 'markdown', name: story.note.name, value: story.note.markdown }),
        item({ type: 'reference', name: story.reference.name, value: story.reference.address }),
      ],
      tasks: story.tasks.map((task) => ({ id: random.id(), ...task })),
      rules:
        rule === undefined
          ? []
          : [{ rule_id: random.id(), author: story.owner, created_at: formatDate(created), ...rule }],
      log: [
        { timestamp: formatDate(created), user: story.owner, explanation: 'Case created' },
        ...(story.status === 'open'
          ? []
          : [
              {
                timestamp: formatDate(updated),
                user: story.owner,
                key: 'status',
                previous_value: 'open',
                new_value: story.status,
              },
            ]),
      ],
    },
    { unknown: 'refuse', classification, now },
  ).document;
}
