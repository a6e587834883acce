import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ResultFile, SectionContent } from '../src/analysis/result-views/result-content.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../src/testing/analysis/analysis-program.ts';
import { enforcedClassification as engine } from '../src/testing/analysis/enforced-classification.ts';
import { aHeuristic, aResult, aResultFile, aSection, resultKey } from '../src/testing/analysis/result-builders.ts';
import { errorKey, seedSubmission } from '../src/testing/analysis/seeded-submission.ts';

/**
 * Submissions with random markings, read by users of three clearances: no answer holds a marker that
 * the user may not see.
 */
const LEVELS = [
  'TLP:CLEAR',
  'TLP:GREEN',
  'TLP:AMBER',
  'TLP:AMBER+STRICT',
  'TLP:GREEN//COMMERCIAL',
  'TLP:GREEN//REL TO CSE',
];
const USERS = { low: 'TLP:CLEAR', middle: 'TLP:GREEN//REL TO CSE', high: 'TLP:AMBER//COMMERCIAL' } as const;
/** More runs: CLASSIFICATION_RUNS=100. */
const RUNS = Number(process.env.CLASSIFICATION_RUNS ?? 12);

const level = fc.constantFrom(...LEVELS);
const aMarking = fc.record({
  submission: level,
  files: fc.array(
    fc.record({ file: level, sections: fc.array(level, { maxLength: 4 }), entry: level, supplementary: level }),
    { minLength: 1, maxLength: 4 },
  ),
});

interface Marker {
  readonly text: string;
  /** Classifications that the user needs, all of them. */
  readonly needs: readonly string[];
}

let program: AnalysisTestProgram;
before(async () => {
  program = await startAnalysisTestProgram();
  for (const [uname, classification] of Object.entries(USERS)) await program.saveUser(uname, { classification });
});
after(() => program.close());

/** Routes that read a submission, and what belongs to it. Add those that show the same documents. */
function routesOf(sid: string, hashes: readonly string[], keys: readonly string[]): readonly string[] {
  return [
    ...['', 'full/', 'tree/', 'summary/', 'report/'].map((form) => `submission/${form}${sid}/`),
    ...['full/', 'tree/', 'report/'].map((form) => `submission/${form}${sid}/?get_full_tree=true`),
    'submission/list/group/ALL/',
    `ontology/submission/${sid}/`,
    ...hashes.flatMap((sha256) => [
      `submission/${sid}/file/${sha256}/`,
      `file/result/${sha256}/`,
      `file/result/${sha256}/Mini/?all`,
      `file/score/${sha256}/`,
      `file/children/${sha256}/`,
      `file/info/${sha256}/`,
      `hash_search/${sha256}/`,
      `ontology/file/${sha256}/`,
      `error/${errorKey(sha256)}/`,
      `result/error/${errorKey(sha256)}/`,
    ]),
    ...keys.map((key) => `result/${key}/`),
    'search/submission/?query=*&fl=*&rows=100',
    'search/file/?query=*&fl=*&rows=100',
    'search/result/?query=*&fl=*&rows=100',
    'search/facet/result/result.sections.heuristic.heur_id/',
    'search/facet/result/result.sections.tags.network.static.domain/',
    'search/grouped/result/response.service_name/?fl=*',
  ];
}

describe('answers about submissions with random markings', () => {
  it('hold no marker that the user may not see', async () => {
    await fc.assert(
      fc.asyncProperty(aMarking, async (marking) => {
        const { sid, markers, hashes, keys } = await seed(marking);
        for (const [uname, clearance] of Object.entries(USERS)) {
          const sees = (one: string) => engine.isAccessible(clearance, one);
          const hidden = markers.filter(({ needs }) => !needs.every(sees));
          for (const path of routesOf(sid, hashes, keys)) {
            // The address itself comes back in refusals.
            const { text, status } = await program.as(uname, `/api/v4/${path}`);
            assert.ok(status < 500, `${uname} ${path}: ${text}`);
            const leaked = hidden.find((marker) => text.includes(marker.text));
            assert.equal(
              leaked,
              undefined,
              `${uname} (${clearance}) reads ${leaked?.text} of ${leaked?.needs} in ${path}`,
            );
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** Stores a submission whose parts have markers of their own. */
async function seed(marking: typeof aMarking extends fc.Arbitrary<infer T> ? T : never) {
  const markers: Marker[] = [];
  const mark = (...needs: string[]): string => {
    const text = `marker${randomInt(2 ** 47)}x`;
    markers.push({ text, needs });
    return text;
  };
  const sid = `sid${randomInt(2 ** 47)}`;
  // The document of a file never lies above the entry of the result that it comes from.
  const files = marking.files.map((file) => ({
    ...file,
    entry: engine.max(file.entry, file.file),
    sha256: randomHash(),
  }));
  const [root] = files;
  assert.ok(root);
  const results = files.map(({ sha256, file, sections, supplementary }, index) => {
    const isRoot = index === 0;
    const children: ResultFile[] = isRoot
      ? files.slice(1).map((child) =>
          aResultFile({
            sha256: child.sha256,
            classification: child.entry,
            name: mark(file, child.entry, child.file),
            description: mark(file, child.entry, child.file),
          }),
        )
      : [];
    const shown: SectionContent[] = sections.map((one) => {
      const id = mark(file, one);
      return aSection({
        classification: one,
        title_text: mark(file, one),
        body: mark(file, one),
        heuristic: { ...aHeuristic(id, 100), name: mark(file, one) },
        tags: { network: { static: { domain: [`${mark(file, one)}.example`] } } },
        promote_to: 'ENTROPY',
      });
    });
    const attached = aResultFile({
      sha256: randomHash(),
      classification: supplementary,
      name: mark(file, supplementary),
    });
    const highest = sections.reduce((top, one) => engine.max(top, one), file);
    return aResult({
      sha256,
      classification: highest,
      sections: shown,
      extracted: children,
      supplementary: [attached],
    });
  });
  await seedSubmission(program.store, {
    sid,
    classification: marking.submission,
    files: files.map(({ sha256, file }) => ({ sha256, classification: file, ascii: mark(file) })),
    results,
    errors: Object.fromEntries(files.map(({ sha256, file }) => [sha256, mark(file)])),
    metadata: { note: mark(marking.submission) },
  });
  return { sid, markers, hashes: files.map(({ sha256 }) => sha256), keys: results.map(resultKey) };
}

function randomHash(): string {
  return Array.from({ length: 8 }, () =>
    randomInt(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
}
