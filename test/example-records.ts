import { EXAMPLE_IDS } from '../src/alerts/example-ids.ts';
import { actionDocument } from '../src/documents/kinds/action.ts';
import { analyticDocument } from '../src/documents/kinds/analytic.ts';
import { caseDocument } from '../src/documents/kinds/case.ts';
import { dossierDocument } from '../src/documents/kinds/dossier.ts';
import { eventDocument } from '../src/documents/kinds/event.ts';
import { hitDocument } from '../src/documents/kinds/hit.ts';
import { overviewDocument } from '../src/documents/kinds/overview.ts';
import { templateDocument } from '../src/documents/kinds/template.ts';
import { viewDocument } from '../src/documents/kinds/view.ts';
import type { DocumentDefinition } from '../src/documents/schema/document-definition.ts';
import { readDocument } from '../src/documents/schema/read-document.ts';
import { classifiedCollection } from '../src/identity/accounts/classified-collection.ts';
import type { TestProgram } from '../src/testing/start-test-program.ts';

const TIME = '2025-03-02T10:00:00.000000Z';
const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const comment = { id: EXAMPLE_IDS.comment, value: 'Seen before.', user: 'admin', timestamp: TIME, modified: TIME };
const record = { timestamp: TIME, event: { created: TIME }, source: { ip: '203.0.113.7' } };
const owned = { owner: 'admin', admins: ['huey'] };

/** Saves the records that the examples name, as they are before each example. */
export async function saveExampleRecords({ foundation }: TestProgram): Promise<void> {
  const { datastore, classification } = foundation;
  const save = async <T extends object>(definition: DocumentDefinition<T>, id: string, input: object) => {
    const collection = datastore.collection(definition);
    const classified = definition.classificationField !== undefined;
    const { document } = readDocument(definition, input, { unknown: 'refuse', classification });
    await (classified ? classifiedCollection(collection, definition, classification) : collection).save(id, document, {
      visible: 'now',
    });
  };
  const { hit, event, analytic, view, dossier, action, overview, template, item, rule } = EXAMPLE_IDS;
  await save(hitDocument, hit, {
    ...record,
    howler: {
      id: hit,
      analytic: 'Impossible Travel',
      hash: HASH,
      score: 50,
      comment: [comment],
    },
  });
  await save(eventDocument, event, { ...record, howler: { id: event, hash: HASH } });
  await save(caseDocument, EXAMPLE_IDS.case, {
    case_id: EXAMPLE_IDS.case,
    title: 'Impossible journeys',
    summary: 'Sign-ins from two countries.',
    items: [{ id: item, type: 'folder', name: 'alerts', value: 'alerts' }],
    rules: [{ rule_id: rule, destination: 'alerts', query: 'howler.id:*', author: 'admin' }],
  });
  const notebook = { id: item, value: 'https://example.org/notebooks/1', name: 'Travel times', user: 'admin' };
  await save(analyticDocument, analytic, {
    analytic_id: analytic,
    name: 'Example Analytic',
    owner: 'admin',
    comment: [comment],
    notebooks: [notebook],
  });
  await save(viewDocument, view, { ...owned, view_id: view, title: 'Open', query: 'howler.id:*', type: 'global' });
  await save(dossierDocument, dossier, { ...owned, dossier_id: dossier, title: 'VPN', type: 'global' });
  await save(actionDocument, action, {
    ...owned,
    action_id: action,
    name: 'Label',
    query: 'howler.id:*',
    operations: [{ operation_id: 'add_label', data_json: '{"category":"generic","label":"vpn"}' }],
  });
  await save(overviewDocument, overview, { owner: 'admin', overview_id: overview, analytic: 'Any', content: 'Text' });
  await save(templateDocument, template, { template_id: template, analytic: 'Any', type: 'global', keys: ['message'] });
}
