import { extractManifest } from '../src/analysis/analyzers/extract/extract-manifest.ts';
import { digestOf } from '../src/analysis/lists/listed-values.ts';
import { EXAMPLE_CLASSIFICATION, EXAMPLE_CONTENT, EXAMPLE_IDS } from '../src/analysis/operations/analysis-operation.ts';
import { serviceId } from '../src/analysis/services/service-registry.ts';
import { unrestricted } from '../src/datastore/port/read-access.ts';
import { alertDocument } from '../src/documents/kinds/analysis/alert.ts';
import { archivedFileDocument } from '../src/documents/kinds/analysis/archived.ts';
import { badlistDocument } from '../src/documents/kinds/analysis/badlist.ts';
import { errorDocument } from '../src/documents/kinds/analysis/error.ts';
import { fileDocument } from '../src/documents/kinds/analysis/file.ts';
import { resultDocument } from '../src/documents/kinds/analysis/result.ts';
import { safelistDocument } from '../src/documents/kinds/analysis/safelist.ts';
import { serviceDocument } from '../src/documents/kinds/analysis/service.ts';
import { serviceDeltaDocument } from '../src/documents/kinds/analysis/service-delta.ts';
import { signatureDocument } from '../src/documents/kinds/analysis/signature.ts';
import { submissionDocument } from '../src/documents/kinds/analysis/submission.ts';
import { workflowDocument } from '../src/documents/kinds/analysis/workflow.ts';
import type { DocumentDefinition } from '../src/documents/schema/document-definition.ts';
import { seedDocument } from '../src/testing/seed-document.ts';
import type { TestProgram, TestRequest } from '../src/testing/start-test-program.ts';

const TIME = '2025-03-02T10:00:00.000000Z';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ANY = unrestricted('a test asks whether a service exists');
const VERSION = '1.0.0';
const TAG = { type: 'network.static.domain', value: 'example.com' };
const SOURCE = {
  name: 'internal',
  uri: 'https://feed.example/rules.zip',
  default_classification: EXAMPLE_CLASSIFICATION,
};
const UPDATED_SERVICE = {
  name: 'YARA',
  version: VERSION,
  docker_config: { image: 'none/yara' },
  update_config: { generates_signatures: true, update_interval_seconds: 3600, sources: [SOURCE] },
};

/** Saves the records that the examples of the analysis service name, as they are before each example. */
export async function saveAnalysisExampleRecords(program: TestProgram, administrator: TestRequest): Promise<void> {
  const save = <T extends object>(definition: DocumentDefinition<T>, id: string, input: object) =>
    seedDocument(program, definition, id, input);
  await saveFiles(program, save);
  await saveSubmission(save);
  await saveLists(save);
  await save(workflowDocument, EXAMPLE_IDS.workflow, {
    ...{ workflow_id: EXAMPLE_IDS.workflow, name: 'Invoices', query: 'file.name:*.pdf', labels: ['INVOICE'] },
    ...{ creator: 'admin', edited_by: 'admin' },
  });
  await save(signatureDocument, 'yara_internal_rule1', {
    ...{ name: 'rule1', type: 'yara', source: 'internal', data: 'rule rule1 { condition: false }' },
    ...{ signature_id: 'rule1', status: 'DEPLOYED' },
  });
  await saveServices(program, save, administrator);
}

type Save = <T extends object>(definition: DocumentDefinition<T>, id: string, input: object) => Promise<void>;

async function saveFiles({ foundation }: TestProgram, save: Save): Promise<void> {
  const described = { mime: 'text/plain', magic: 'ASCII text', type: 'text/plain', ascii: 'echo', hex: '6563686f' };
  const picture = { mime: 'image/png', magic: 'PNG image data', type: 'image/png', ascii: '.PNG', hex: '89504e47' };
  const files = [
    { sha256: EXAMPLE_IDS.file, content: Buffer.from(EXAMPLE_CONTENT), more: described },
    { sha256: EXAMPLE_IDS.picture, content: PICTURE, more: { ...picture, is_section_image: true } },
  ];
  for (const { sha256, content, more } of files) {
    await foundation.files.put(content, { expected: sha256 });
    const document = {
      ...{ sha256, md5: sha256.slice(0, 32), sha1: sha256.slice(0, 40), ssdeep: '3:abc:def' },
      ...{ entropy: 3, size: content.length, seen: { count: 1, first: TIME, last: TIME }, ...more },
    };
    await save(fileDocument, sha256, document);
    await save(archivedFileDocument, sha256, document);
  }
}

async function saveSubmission(save: Save): Promise<void> {
  const { submission: sid, alert, file: sha256, result, error } = EXAMPLE_IDS;
  const response = { service_name: 'Characterize', service_version: VERSION };
  await save(resultDocument, result, { sha256, created: TIME, response });
  await save(errorDocument, error, {
    ...{ sha256, created: TIME },
    response: { ...response, message: 'The service was stopped.', status: 'FAIL_NONRECOVERABLE' },
  });
  const file = { name: 'invoice.pdf', sha256, size: EXAMPLE_CONTENT.length };
  await save(submissionDocument, sid, {
    ...{ sid, state: 'completed', files: [file], results: [result], errors: [error] },
    ...{ file_count: 1, error_count: 1, max_score: 0, times: { submitted: TIME, completed: TIME } },
    params: { description: 'An invoice', submitter: 'admin', services: { selected: ['Characterize'] } },
  });
  await save(alertDocument, alert, {
    ...{ alert_id: alert, sid, reporting_ts: TIME, ts: TIME, type: 'USER', extended_scan: 'skipped' },
    ...{ al: { score: 500, detailed: { av: [] }, request_end_time: TIME }, submission_relations: [{ child: sid }] },
    ...{ attack: { pattern: [] }, heuristic: { name: [] } },
    file: { ...file, md5: sha256.slice(0, 32), sha1: sha256.slice(0, 40), type: 'text/plain' },
  });
}

async function saveLists(save: Save): Promise<void> {
  const { file: sha256 } = EXAMPLE_IDS;
  // The last source of an entry cannot be removed.
  const sources = ['admin', 'huey'].map((name) => ({ name, type: 'user', reason: ['Known'] }));
  const attribution = { actor: ['SNAIL'] };
  const tagged = { type: 'tag', tag: TAG, sources };
  await save(safelistDocument, sha256, { type: 'file', hashes: { sha256 }, sources });
  await save(safelistDocument, digestOf(TAG.type, TAG.value), tagged);
  await save(safelistDocument, digestOf('signature', 'rule'), {
    type: 'signature',
    signature: { name: 'rule' },
    sources,
  });
  await save(badlistDocument, sha256, { type: 'file', hashes: { sha256 }, attribution, sources });
  await save(badlistDocument, digestOf(TAG.type, TAG.value), tagged);
}

/** Adds missing services through their route, which makes the program read all of them again. */
async function saveServices(program: TestProgram, save: Save, administrator: TestRequest): Promise<void> {
  const { update_config } = UPDATED_SERVICE;
  await save(serviceDeltaDocument, UPDATED_SERVICE.name, { version: VERSION, update_config });
  const stored = program.foundation.datastore.collection(serviceDocument);
  for (const manifest of [UPDATED_SERVICE, extractManifest]) {
    if ((await stored.get(serviceId(manifest), ANY)) !== undefined) continue;
    const body = JSON.stringify(manifest);
    const request = { ...administrator, service: 'analysis', method: 'PUT', body } as const;
    const { status, text } = await program.request('/api/v4/service/', request);
    if (status !== 200) throw new Error(`The service ${manifest.name} was not added: ${text}`);
  }
}
