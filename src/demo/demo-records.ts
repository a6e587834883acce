import type { ClassificationEngine } from '../classification/classification.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { actionDocument } from '../documents/kinds/action.ts';
import { type Analytic, analyticDocument } from '../documents/kinds/analytic.ts';
import { caseDocument } from '../documents/kinds/case.ts';
import { dossierDocument } from '../documents/kinds/dossier.ts';
import { eventDocument } from '../documents/kinds/event.ts';
import { hitDocument } from '../documents/kinds/hit.ts';
import { overviewDocument } from '../documents/kinds/overview.ts';
import { templateDocument } from '../documents/kinds/template.ts';
import type { User } from '../documents/kinds/user.ts';
import { type View, viewDocument } from '../documents/kinds/view.ts';
import type { DocumentDefinition } from '../documents/schema/document-definition.ts';
import { readDocument } from '../documents/schema/read-document.ts';
import { classifiedCollection } from '../identity/accounts/classified-collection.ts';
import { createDemoAlerts } from './demo-alerts.ts';
import { createDemoAnalytics } from './demo-analytics.ts';
import { createDemoCases } from './demo-cases.ts';
import { createDemoEvents } from './demo-events.ts';
import { DemoRandom } from './demo-random.ts';
import { saveAll } from './save-all.ts';
import { SAVED_ACTIONS } from './saved/saved-actions.ts';
import { SAVED_DOSSIERS } from './saved/saved-dossiers.ts';
import { SAVED_OVERVIEWS, SAVED_TEMPLATES } from './saved/saved-layouts.ts';
import { SAVED_VIEWS } from './saved/saved-views.ts';

export interface DemoRecordDependencies {
  datastore: Datastore;
  classification: ClassificationEngine;
  now: Date;
}

const SEED = 20_240_917;
const ALERTS = 200;
const EVENTS = 200;

/**
 * Writes all records of the demo except users: alerts, observations, cases, and what people have
 * saved.
 * @returns the dashboard of the administrator
 */
export async function createDemoRecords(dependencies: DemoRecordDependencies): Promise<User['dashboard']> {
  const [views, analytics] = await Promise.all([
    saveInputs(dependencies.datastore, sequence(3)),
    createDemoAlertRecords(dependencies),
  ]);
  return [
    ...views.slice(0, 2).map(({ view_id: viewId }) => card('view', viewId, { viewId, limit: 5 })),
    ...analytics
      .slice(0, 2)
      .flatMap(({ analytic_id: analyticId }) =>
        ['created', 'escalation'].map((type) => card('analytic', `${analyticId}-${type}`, { analyticId, type })),
      ),
  ];
}

/** Returns a sequence of its own for each kind: a change to one leaves the others as they are. */
function sequence(offset: number): DemoRandom {
  return new DemoRandom(SEED + offset);
}

/**
 * Writes the records of the demo that need no demo users: alerts, observations, analytics and cases.
 * @returns the analytics
 */
export async function createDemoAlertRecords({
  datastore,
  classification,
  now,
}: DemoRecordDependencies): Promise<readonly Analytic[]> {
  const hits = classifiedCollection(datastore.collection(hitDocument), hitDocument, classification);
  const events = classifiedCollection(datastore.collection(eventDocument), eventDocument, classification);
  const cases = classifiedCollection(datastore.collection(caseDocument), caseDocument, classification);
  const [alerts, observations] = await Promise.all([
    createDemoAlerts({ hits, classification, now, random: sequence(1) }, ALERTS),
    createDemoEvents({ events, classification, now, random: sequence(2) }, EVENTS),
  ]);
  const analytics = await createDemoAnalytics({
    analytics: datastore.collection(analyticDocument),
    hits: alerts,
    now,
    random: sequence(4),
  });
  await createDemoCases(
    { cases, hits, events, classification, now, random: sequence(5) },
    { hits: alerts, events: observations },
  );
  return analytics;
}

/** A card of the dashboard as the web interface stores it. */
function card(type: 'view' | 'analytic', entry_id: string, config: object): User['dashboard'][number] {
  return { type, entry_id, config: JSON.stringify(config) };
}

/** Writes what people have saved, and returns the views. */
async function saveInputs(datastore: Datastore, random: DemoRandom): Promise<readonly View[]> {
  const save = async <T>(definition: DocumentDefinition<T>, inputs: readonly Readonly<Record<string, unknown>>[]) => {
    const { idField } = definition;
    if (idField === undefined) throw new Error(`${definition.name} has no identifier`);
    const documents = inputs.map((input) => {
      const id = random.id();
      return { id, document: readDocument(definition, { ...input, [idField]: id }, { unknown: 'refuse' }).document };
    });
    const ids = new Map(documents.map(({ id, document }) => [document, id]));
    await saveAll(
      datastore.collection(definition),
      documents.map(({ document }) => document),
      (document) => ids.get(document) ?? '',
    );
    return documents.map(({ document }) => document);
  };
  const views = await save(
    viewDocument,
    SAVED_VIEWS.map((view) => ({ ...view })),
  );
  await save(
    templateDocument,
    SAVED_TEMPLATES.map((template) => ({ ...template, type: template.owner === undefined ? 'global' : 'personal' })),
  );
  await save(
    overviewDocument,
    SAVED_OVERVIEWS.map((overview) => ({ ...overview })),
  );
  await save(
    actionDocument,
    SAVED_ACTIONS.map(({ operation, args, ...action }) => ({
      ...action,
      operations: [{ operation_id: operation, data_json: JSON.stringify(args) }],
    })),
  );
  await save(
    dossierDocument,
    SAVED_DOSSIERS.map((dossier) => ({ ...dossier })),
  );
  return views;
}
