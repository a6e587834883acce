import { createHash, randomInt } from 'node:crypto';
import fc from 'fast-check';
import { digestOf } from '../src/analysis/lists/listed-values.ts';
import type { ResultFile, SectionContent } from '../src/analysis/result-views/result-content.ts';
import { alertDocument } from '../src/documents/kinds/analysis/alert.ts';
import { badlistDocument } from '../src/documents/kinds/analysis/badlist.ts';
import { heuristicDocument } from '../src/documents/kinds/analysis/heuristic.ts';
import { safelistDocument } from '../src/documents/kinds/analysis/safelist.ts';
import { serviceDocument } from '../src/documents/kinds/analysis/service.ts';
import { signatureDocument } from '../src/documents/kinds/analysis/signature.ts';
import { submissionDocument } from '../src/documents/kinds/analysis/submission.ts';
import { workflowDocument } from '../src/documents/kinds/analysis/workflow.ts';
import type { AnalysisTestProgram } from '../src/testing/analysis/analysis-program.ts';
import { enforcedClassification as engine } from '../src/testing/analysis/enforced-classification.ts';
import { aHeuristic, aResult, aResultFile, aSection, resultKey } from '../src/testing/analysis/result-builders.ts';
import { errorKey, seedSubmission } from '../src/testing/analysis/seeded-submission.ts';

/** Users of three clearances. All are administrators: their roles are not in the way. */
export const USERS = { low: 'TLP:CLEAR', middle: 'TLP:GREEN//REL TO CSE', high: 'TLP:AMBER//COMMERCIAL' } as const;
export const LEVELS = [
  'TLP:CLEAR',
  'TLP:GREEN',
  'TLP:AMBER',
  'TLP:AMBER+STRICT',
  'TLP:GREEN//COMMERCIAL',
  'TLP:GREEN//REL TO CSE',
];

const level = fc.constantFrom(...LEVELS);
export const aMarking = fc.record({
  submission: level,
  files: fc.array(
    fc.record({ file: level, sections: fc.array(level, { maxLength: 4 }), entry: level, supplementary: level }),
    { minLength: 1, maxLength: 4 },
  ),
});
export type Marking = typeof aMarking extends fc.Arbitrary<infer T> ? T : never;

export interface Marker {
  readonly text: string;
  /** Classifications that a reader needs, all of them. */
  readonly needs: readonly string[];
}

/** Records of all kinds with markers, and the values of the parameters that lead to them. */
export interface ClassifiedRecords {
  readonly sid: string;
  readonly markers: readonly Marker[];
  /** Hashes of the files, with what a reader of each needs. */
  readonly files: readonly { readonly sha256: string; readonly needs: readonly string[] }[];
  /** Values of the parameters of paths, by name. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  readonly resultKeys: readonly string[];
}

const sees = (clearance: string, needs: readonly string[]) => needs.every((one) => engine.isAccessible(clearance, one));
/** Returns the users who see what needs these classifications, by initials: `lm-`. */
const patternOf = (needs: readonly string[]) =>
  Object.entries(USERS)
    .map(([name, clearance]) => (sees(clearance, needs) ? (name[0] ?? '') : '-'))
    .join('');
const PATTERNS = [
  ...new Set(
    LEVELS.flatMap((left) => LEVELS.flatMap((right) => LEVELS.map((third) => patternOf([left, right, third])))),
  ),
].sort((left, right) => left.split('-').length - right.split('-').length);
/** More than the sections of one pattern in a submission, so that sums of scores never carry over. */
const BASE = 17;

/** A score that tells who may see it, also when it is added to others. */
export function markedScore(...needs: readonly string[]): number {
  return BASE ** PATTERNS.indexOf(patternOf(needs));
}

/** Returns whether a sum of marked scores counts one that a user may not see. */
export function countsHidden(sum: number, user: keyof typeof USERS): boolean {
  let rest = Math.abs(sum);
  for (const pattern of PATTERNS) {
    if (rest % BASE > 0 && !pattern.includes(user[0] ?? '')) return true;
    rest = Math.floor(rest / BASE);
  }
  return false;
}

/** Stores a submission, and a record of each other kind, whose parts have markers of their own. */
export async function saveClassifiedRecords(
  program: AnalysisTestProgram,
  marking: Marking,
): Promise<ClassifiedRecords> {
  const markers: Marker[] = [];
  const mark = (...needs: string[]): string => {
    const text = `marker${randomInt(2 ** 47)}x`;
    markers.push({ text, needs });
    return text;
  };
  const store = async (text: string) => (await program.foundation.files.put(Buffer.from(text))).sha256;
  const sid = `sid${randomInt(2 ** 47)}`;
  const files = await Promise.all(
    marking.files.map(async (sent, index) => {
      // The submitted file never lies above its submission, nor another file above the entry that it comes from.
      const isAbove = index === 0 && !engine.isWithin(sent.file, marking.submission);
      const file = isAbove ? marking.submission : sent.file;
      const sha256 = await store(`begin ${mark(file)} end`);
      return { ...sent, file, entry: engine.max(sent.entry, file), sha256 };
    }),
  );
  const results = await Promise.all(
    files.map(async ({ sha256, file, sections, supplementary }, index) => {
      const children: ResultFile[] = (index === 0 ? files.slice(1) : []).map((child) =>
        aResultFile({
          sha256: child.sha256,
          classification: child.entry,
          name: mark(file, child.entry, child.file),
          description: mark(file, child.entry, child.file),
        }),
      );
      const shown: SectionContent[] = sections.map((one) =>
        aSection({
          classification: one,
          title_text: mark(file, one),
          body: mark(file, one),
          heuristic: { ...aHeuristic(mark(file, one), markedScore(file, one)), name: mark(file, one) },
          tags: { network: { static: { domain: [`${mark(file, one)}.example`] } } },
          promote_to: 'ENTROPY',
        }),
      );
      const attached = aResultFile({
        sha256: await store(ontologyRecord(sha256, supplementary, mark(file, supplementary))),
        classification: supplementary,
        name: `${mark(file, supplementary)}.ontology`,
      });
      markers.push({ text: attached.sha256, needs: [file, supplementary] });
      const classification = sections.reduce((top, one) => engine.max(top, one), file);
      return aResult({ sha256, classification, sections: shown, extracted: children, supplementary: [attached] });
    }),
  );
  await seedSubmission(program.store, {
    sid,
    classification: marking.submission,
    files: files.map(({ sha256, file }) => ({ sha256, classification: file, ascii: mark(file) })),
    results,
    errors: Object.fromEntries(files.map(({ sha256, file }) => [sha256, mark(file)])),
    metadata: { note: mark(marking.submission) },
  });
  await storeOpenCounts(program, sid, marking, files);
  const others = await saveOtherKinds(program, { sid, sha256: files[0]?.sha256 ?? '', marking, mark });
  const hashes = files.map(({ sha256 }) => sha256);
  const keys = results.map(resultKey);
  return {
    sid,
    markers,
    files: files.map(({ sha256, file }) => ({ sha256, needs: [file] })),
    resultKeys: keys,
    parameters: {
      ...others,
      sid: [sid],
      submission_id: [sid],
      sha256: hashes,
      file_hash: hashes,
      error_key: hashes.map(errorKey),
      cache_key: [...keys, ...hashes.map(errorKey)],
      group: ['ALL', 'USERS'],
      username: ['ana'],
      service: ['Mini'],
    },
  };
}

/** Stores the score and the counts that the program stores when an analysis ends. */
async function storeOpenCounts(
  { foundation }: AnalysisTestProgram,
  sid: string,
  { submission }: Marking,
  files: readonly { readonly file: string; readonly entry: string; readonly sections: readonly string[] }[],
): Promise<void> {
  const isOpen = (one: string) => engine.isWithin(one, submission);
  const open = files.filter(({ file, entry }, index) => isOpen(file) && (index === 0 || isOpen(entry)));
  const scores = open.map(({ file, sections }) =>
    sections.filter(isOpen).reduce((sum, one) => sum + markedScore(file, one), 0),
  );
  const counts = { max_score: Math.max(0, ...scores), file_count: open.length, error_count: open.length };
  await foundation.datastore.collection(submissionDocument).update(
    sid,
    Object.entries(counts).map(([path, value]) => ({ op: 'set', path, value }) as const),
    { visible: 'now' },
  );
}

interface OtherKinds {
  readonly sid: string;
  readonly sha256: string;
  readonly marking: Marking;
  readonly mark: (...needs: string[]) => string;
}

/** Stores what stands beside submissions, each with a classification of its own. */
async function saveOtherKinds({ store }: AnalysisTestProgram, { sid, sha256, marking, mark }: OtherKinds) {
  const id = String(randomInt(2 ** 47));
  const [first = '', second = first, third = first] = marking.files.flatMap(({ file, entry, supplementary }) => [
    file,
    entry,
    supplementary,
  ]);
  const time = '2026-01-02T03:04:05.000000Z';
  const domain = `${id}.example`;
  const source = { name: 'ana', type: 'user', reason: [mark(first)], classification: first };
  const tagged = { type: 'tag', tag: { type: 'network.static.domain', value: domain }, sources: [source] };
  const ofTag = digestOf('network.static.domain', domain);
  const hash = createHash('sha256').update(id).digest('hex');
  await store(safelistDocument, ofTag, { ...tagged, classification: first });
  await store(badlistDocument, ofTag, { ...tagged, classification: first, attribution: { actor: [mark(first)] } });
  await store(safelistDocument, digestOf('signature', `rule${id}`), {
    ...{ type: 'signature', signature: { name: `rule${id}` }, classification: second },
    sources: [{ ...source, reason: [mark(second)], classification: second }],
  });
  await store(badlistDocument, hash, {
    ...{ type: 'file', hashes: { sha256: hash }, file: { name: [mark(third)] }, classification: third },
    sources: [{ ...source, reason: [mark(third)], classification: third }],
  });
  await store(signatureDocument, `yara_internal_rule${id}`, {
    ...{ name: `rule${id}`, type: 'yara', source: 'internal', signature_id: `rule${id}`, status: 'DEPLOYED' },
    ...{ data: mark(second), revision: mark(second), classification: second },
    stats: { count: markedScore(second), max: markedScore(second), sum: markedScore(second) },
  });
  await store(workflowDocument, id, {
    ...{ workflow_id: id, name: mark(third), query: 'sid:none', labels: [mark(third)], classification: third },
    ...{ creator: 'ana', edited_by: 'ana', hit_count: markedScore(third) },
  });
  await store(heuristicDocument, `MINI.${id}`, {
    ...{ heur_id: `MINI.${id}`, name: mark(first), description: mark(first), filetype: '*', classification: first },
    ...{ score: markedScore(first), stats: { count: markedScore(first), max: markedScore(first) } },
  });
  await store(serviceDocument, `Service${id}_1.0.0`, {
    ...{ name: `Service${id}`, version: '1.0.0', description: mark(second), classification: second },
    docker_config: { image: 'none/none' },
  });
  // Anyone who sees an alert sees its submission.
  const alert = engine.isWithin(marking.submission, second) ? second : marking.submission;
  const detail = { type: 'x', value: mark(alert), verdict: 'malicious' };
  await store(alertDocument, `alert${id}`, {
    ...{ alert_id: `alert${id}`, sid, reporting_ts: time, ts: time, type: 'USER', extended_scan: 'skipped' },
    ...{ classification: alert, label: [mark(alert)], metadata: { note: mark(alert) }, owner: mark(alert) },
    al: { score: markedScore(alert), detailed: { av: [detail] }, av: [mark(alert)], request_end_time: time },
    ...{ attack: { pattern: [mark(alert)] }, heuristic: { name: [mark(alert)] } },
    submission_relations: [{ child: sid }],
    file: { name: mark(alert), sha256, size: 5, md5: hash.slice(0, 32), sha1: hash.slice(0, 40), type: 'text/plain' },
  });
  return {
    qhash: [ofTag, hash, digestOf('signature', `rule${id}`)],
    tag_type: ['network.static.domain'],
    tag_value: [domain],
    signature_name: [`rule${id}`],
    signature_id: [`yara_internal_rule${id}`],
    workflow_id: [id],
    heuristic_id: [`MINI.${id}`],
    servicename: [`Service${id}`],
    service_name: [`Service${id}`],
    version: ['1.0.0'],
    alert_id: [`alert${id}`],
  };
}

function ontologyRecord(sha256: string, classification: string, text: string): string {
  return JSON.stringify({
    ...{ odm_type: 'Assemblyline Result Ontology', odm_version: '1.7', classification },
    ...{ file: { sha256 }, service: { name: 'Mini' }, results: { heuristics: [{ name: text }] } },
  });
}
