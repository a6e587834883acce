import { aResult, aSection, aSha256 } from '../../../src/testing/analysis/result-builders.ts';
import { seedSubmission } from '../../../src/testing/analysis/seeded-submission.ts';
import { seedDocument } from '../../../src/testing/seed-document.ts';
import type { TestProgram } from '../../../src/testing/start-test-program.ts';
import { sendJson } from '../alert-data.ts';

/** In every string of a record above the restricted user, and in nothing else. */
export const SECRET = 'aboveyou7431';
/** In alerts that both users see. */
export const OPEN = 'openmark9152';
/** An address of alerts above the user alone. */
export const SECRET_ADDRESS = '203.0.113.231';
export const ABOVE = { alerts: 400, cases: 60, submissions: 40 } as const;
const CLASSIFICATION = 'RESTRICTED//ADMIN';

export interface ClassifiedRecords {
  readonly alert: string;
  readonly case: string;
  readonly submission: string;
  /** A case that both users see; an alert above it cannot be filed into it. */
  readonly openCase: string;
}

/** Saves 500 records above the user `low`, who is named in them, and some that both users see. */
export async function saveClassifiedRecords(program: TestProgram): Promise<ClassifiedRecords> {
  const post = (path: string, json: unknown) => sendJson(program, path, json);
  const alertOf = (word: string, more: object) => ({
    // Analytics have no classification: their name is known to all.
    ...{ 'howler.analytic': 'Classified', 'howler.assignment': 'low', message: word, 'howler.data': [word] },
    'howler.outline': { summary: word, threat: word, target: word, indicators: [word] },
    ...{ 'howler.labels.generic': [word], 'host.name': word, 'event.reason': word, tags: [word] },
    ...{ 'howler.comment': [{ value: word, user: 'admin' }], 'howler.links': [{ href: word, title: word }] },
    ...more,
  });
  const above = Array.from({ length: ABOVE.alerts }, (_, index) =>
    alertOf(`${SECRET}a${index}`, { classification: CLASSIFICATION, 'source.ip': SECRET_ADDRESS }),
  );
  const open = Array.from({ length: 20 }, (_, index) => alertOf(`${OPEN}a${index}`, { 'source.ip': '203.0.113.230' }));
  const hits = await post('/api/v1/hit?refresh=true', [...above, ...open]);
  const alert: string = hits.valid[0].howler.id;
  const cases = await Promise.all(
    Array.from({ length: ABOVE.cases }, (_, index) => {
      const word = `${SECRET}c${index}`;
      return post('/api/v2/case/?refresh=true', {
        ...{ title: word, summary: word, overview: word, classification: CLASSIFICATION, participants: ['low'] },
        ...{ indicators: [word], tasks: [{ summary: word, assignment: 'low' }] },
        items: [{ type: 'reference', name: word, value: `https://${word}.example/` }],
      });
    }),
  );
  const openCase = await post('/api/v2/case/?refresh=true', {
    ...{ title: `${OPEN} case`, summary: OPEN, participants: ['low'] },
    items: [{ type: 'reference', name: OPEN, value: 'https://open.example/' }],
  });
  const store: Parameters<typeof seedSubmission>[0] = (definition, id, document) =>
    seedDocument(program, definition, id, document);
  for (let index = 0; index < ABOVE.submissions; index += 1) {
    const word = `${SECRET}s${index}`;
    const sha256 = aSha256(5_000 + index);
    const marking = { classification: CLASSIFICATION };
    await seedSubmission(store, {
      ...{ sid: word, ...marking, submitter: 'low', errors: { [sha256]: word }, metadata: { note: word } },
      files: [{ sha256, ...marking, ascii: word }],
      results: [aResult({ ...marking, sha256, sections: [aSection({ ...marking, title_text: word, body: word })] })],
    });
  }
  return { alert, case: cases[0].case_id, openCase: openCase.case_id, submission: `${SECRET}s0` };
}
