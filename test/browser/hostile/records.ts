import assert from 'node:assert/strict';
import { submissionDocument } from '../../../src/documents/kinds/analysis/submission.ts';
import { hitDocument } from '../../../src/documents/kinds/hit.ts';
import { aHeuristic, aResult, aResultFile, aSection, aSha256 } from '../../../src/testing/analysis/result-builders.ts';
import { seedSubmission } from '../../../src/testing/analysis/seeded-submission.ts';
import { seedDocument } from '../../../src/testing/seed-document.ts';
import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { ADMIN, sendJson } from '../alert-data.ts';
import { FORMULAS, HOSTILE_STRINGS, packs } from './strings.ts';

/** Characters that lists show of a value before they cut it. */
const SHOWN = 190;
/** Value that the annotations are about. */
export const ANNOTATED = '203.0.113.77';
/** The analytic that the alerts with everything name. */
export const ANALYTIC = '<img src=x onerror=alert(1)>{{constructor}}';

/** Set below, or by the program alone. */
const OWN_FIELDS = /^howler\.(?:id|hash|assignment|comment|log|links|incidents|dossier|labels|votes|related)(?:\.|$)/;
const PACKS = packs(SHOWN);
const WHOLE = HOSTILE_STRINGS.join('\n\n');
const pack = (index: number) => PACKS[index % PACKS.length] ?? '';
const some = (index: number, count = 12) =>
  Array.from({ length: count }, (_, place) => HOSTILE_STRINGS[(index * 7 + place) % HOSTILE_STRINGS.length] ?? '');
const label = (index: number) => ({ en: pack(index), fr: pack(index + 1) });

export interface HostileRecords {
  readonly alert: string;
  readonly case: string;
  readonly analytic: string;
  readonly view: string;
  readonly template: string;
  readonly overview: string;
  readonly dossier: string;
  readonly action: string;
  readonly user: string;
  readonly submission: string;
}

/** Saves hostile strings in the fields of records of each kind, through the API where it takes them. */
export async function saveHostileRecords(program: TestProgram): Promise<HostileRecords> {
  const send = (method: string, path: string, json: unknown) => sendJson(program, path, json, { method });
  const post = (path: string, json: unknown) => sendJson(program, path, json);
  /** Saves a record for each pack. Returns the answers. */
  const forPacks = async <T>(save: (index: number) => Promise<T>): Promise<T[]> => {
    const saved: T[] = [];
    for (let begin = 0; begin < PACKS.length; begin += 16) {
      const indexes = PACKS.slice(begin, begin + 16).map((_, place) => begin + place);
      saved.push(...(await Promise.all(indexes.map(save))));
    }
    return saved;
  };
  const words = hitDocument.ownFields.filter(
    ({ path, type, regex }) =>
      /^(?:keyword|text)$/.test(type) &&
      regex === undefined &&
      !path.startsWith('threat.enrichments.') &&
      path !== 'id' &&
      !OWN_FIELDS.test(path),
  );
  const everyField = Object.fromEntries(
    words.map(({ path, list }, index) => [path, list ? [pack(index)] : pack(index)]),
  );
  const lead = (index: number) => ({
    ...{ icon: pack(index), label: label(index), format: 'markdown', content: index === 0 ? WHOLE : pack(index) },
  });
  const pivot = (index: number) => ({
    ...{ icon: pack(index), label: label(index), value: HOSTILE_STRINGS[index], format: 'link' },
    mappings: [{ key: 'a', field: pack(index), custom_value: pack(index + 1) }],
  });
  const full = {
    ...everyField,
    'howler.analytic': ANALYTIC,
    'howler.detection': pack(3),
    'howler.assignment': 'admin',
    'howler.outline.summary': WHOLE,
    'howler.rationale': WHOLE,
    'howler.data': HOSTILE_STRINGS,
    'howler.links': HOSTILE_STRINGS.map((href, index) => ({ href, title: pack(index), icon: href })),
    'howler.incidents': HOSTILE_STRINGS.slice(0, 40).map((url) => ({ platform: url, incident_id: url, url })),
    'howler.labels.generic': HOSTILE_STRINGS,
    'howler.dossier': Array.from({ length: 12 }, (_, index) => lead(index)),
    'howler.comment': HOSTILE_STRINGS.map((value, index) => ({ value, user: pack(index) })),
    'source.ip': ANNOTATED,
    message: WHOLE,
  };
  const light = PACKS.map((string, index) => ({
    ...{ 'howler.analytic': pack(index + 1), 'howler.detection': string, 'howler.labels.generic': some(index) },
    ...{ 'howler.outline.summary': string, 'howler.outline.threat': string, 'howler.outline.target': string },
  }));
  const formulas = FORMULAS.map((formula) => ({ 'howler.analytic': 'Formulas', message: formula }));
  const hits = await post('/api/v1/hit?refresh=true', [full, ...light, ...formulas]);
  const alert: string = hits.valid[0].howler.id;
  await post('/api/v1/hit/bundle?refresh=true', { bundle: full, hits: [alert] });
  await post(`/api/v1/hit/${alert}/comments`, { value: pack(0) });

  const analytics: { readonly analytic_id: string; readonly name: string }[] = (
    await program.request('/api/v1/analytic/', { basic: ADMIN })
  ).json.api_response;
  const analytic = analytics.find(({ name }) => name === ANALYTIC)?.analytic_id ?? '';
  await send('PUT', `/api/v1/analytic/${analytic}`, {
    description: WHOLE,
    triage_settings: { valid_assessments: ['recon'], skip_rationale: false, rationales: HOSTILE_STRINGS, dossiers: [] },
  });
  for (const value of PACKS.slice(0, 40)) {
    await post(`/api/v1/analytic/${analytic}/comments`, { value, detection: value });
  }
  const views = await forPacks((index) =>
    post('/api/v1/view/', { title: pack(index), query: 'howler.id:*', type: 'global', span: pack(index + 1) }),
  );
  const templates = await forPacks((index) =>
    post('/api/v1/template/', {
      ...{ analytic: index === 0 ? ANALYTIC : pack(index), type: 'global', keys: some(index) },
      ...(index === 0 ? {} : { detection: pack(index + 1) }),
    }),
  );
  const overviews = await forPacks((index) =>
    post('/api/v1/overview/', {
      ...(index === 0 ? { analytic: ANALYTIC } : { analytic: pack(index), detection: pack(index + 1) }),
      content: index === 0 ? `{{howler.outline.summary}}\n\n{{{message}}}\n\n${PACKS.join('\n\n')}` : pack(index),
    }),
  );
  const dossiers = await forPacks((index) =>
    post('/api/v1/dossier/', {
      ...{ title: pack(index), query: 'howler.id:*', type: 'global' },
      ...(index > 3 ? {} : { leads: [lead(index)], pivots: Array.from({ length: 100 }, (_, at) => pivot(at * 5)) }),
    }),
  );
  const actions = await forPacks((index) =>
    post('/api/v1/action', {
      ...{ name: pack(index), query: 'howler.id:*', triggers: [] },
      operations: [
        { operation_id: 'add_label', data_json: JSON.stringify({ category: 'generic', label: pack(index) }) },
      ],
    }),
  );
  const cases = await forPacks((index) =>
    post('/api/v2/case/', { title: pack(index), summary: pack(index + 1), targets: some(index) }),
  );
  const made = await post('/api/v2/case/', {
    ...{ title: pack(5), summary: WHOLE, overview: WHOLE, targets: HOSTILE_STRINGS, threats: HOSTILE_STRINGS },
    ...{ indicators: HOSTILE_STRINGS, participants: some(0) },
    items: [
      ...HOSTILE_STRINGS.map((value, index) => ({ type: 'reference', name: `${index} ${value}`, value })),
      { type: 'markdown', name: '<b>notes', value: WHOLE },
      { type: 'hit', name: '<b>alert', value: alert },
      { type: 'folder', name: '<svg onload=alert(1)>' },
    ],
    tasks: HOSTILE_STRINGS.map((summary, index) => ({ summary, assignment: pack(index) })),
  });
  await post(`/api/v2/case/${made.case_id}/rules`, { query: 'howler.id:x', destination: pack(0) });
  await saveAccounts(send);
  return {
    ...{ alert, case: made.case_id, analytic, user: '<script>alert(1)' },
    ...{ view: views[0].view_id, template: templates[0].template_id, overview: overviews[0].overview_id },
    ...{ dossier: dossiers[0].dossier_id, action: actions[0].action_id },
    submission: await saveSubmission(program),
    ...(cases.length === PACKS.length ? {} : assert.fail('a case is missing')),
  };
}

/** Names of users, which cannot have blanks, slashes and colons, and full names, which can. */
async function saveAccounts(send: (method: string, path: string, json: unknown) => Promise<unknown>): Promise<void> {
  const names = ['<script>alert(1)', '"onfocus=alert(1)', 'javascript&colon;x', 'a&#60;b&#62;c'];
  for (const [index, name] of names.entries()) {
    const account = { name: pack(index), new_pass: 'correct horse battery', email: `hostile${index}@triad.example` };
    await send('POST', `/api/v1/user/${encodeURIComponent(name)}`, account);
  }
  await send('PUT', '/api/v1/user/admin', { name: '<img src=x onerror=alert(1)>' });
}

/** Saves a submission with results of analyzers, which no route takes from people. */
async function saveSubmission(program: TestProgram): Promise<string> {
  const sid = 'hostile';
  const files = [aSha256(1), aSha256(2)];
  const [first = '', second = ''] = files;
  const marking = { classification: 'UNRESTRICTED' };
  const sections = HOSTILE_STRINGS.map((string, index) =>
    aSection({
      ...marking,
      title_text: `${index} ${string}`,
      depth: index % 4,
      body: index % 3 === 0 ? JSON.stringify([{ [string]: string }]) : string,
      body_format: (['TABLE', 'TEXT', 'URL', 'JSON', 'KEY_VALUE', 'MEMORY_DUMP'] as const)[index % 6] ?? 'TEXT',
      heuristic: { ...aHeuristic(`MINI.${index}`, 100), name: string },
      tags: { file: { string: { extracted: [string] } } },
    }),
  );
  const extracted = [aResultFile({ ...marking, sha256: second, name: pack(1), description: pack(2) })];
  const store: Parameters<typeof seedSubmission>[0] = (definition, id, document) =>
    seedDocument(program, definition, id, document);
  await seedSubmission(store, {
    ...{ sid, ...marking, submitter: 'admin', errors: { [first]: pack(3) }, metadata: { note: pack(4) } },
    files: files.map((sha256) => ({ sha256, ...marking, ascii: pack(5) })),
    results: [aResult({ ...marking, sha256: first, service: 'Mini', sections, extracted })],
  });
  const stored = program.foundation.datastore.collection(submissionDocument);
  await stored.update(sid, [{ op: 'set', path: 'params.description', value: WHOLE }], { visible: 'now' });
  return sid;
}
