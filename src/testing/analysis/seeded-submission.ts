import type { ResultContent } from '../../analysis/result-views/result-content.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { submissionDocument } from '../../documents/kinds/analysis/submission.ts';
import type { AnalysisTestProgram } from './analysis-program.ts';
import { resultKey } from './result-builders.ts';

type Store = AnalysisTestProgram['store'];

export interface SeededFile {
  readonly sha256: string;
  readonly classification?: string;
  readonly ascii?: string;
}

export interface SeededSubmission {
  readonly sid: string;
  readonly classification?: string;
  readonly submitter?: string;
  readonly state?: 'completed' | 'submitted';
  /** The first one is the submitted file. */
  readonly files: readonly SeededFile[];
  readonly results?: readonly ResultContent[];
  /** Keys of results in addition, such as those that stand for nothing. */
  readonly keys?: readonly string[];
  /** Messages by file, of errors of the service `Mini`. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** For tests: stores a file. */
export async function seedFile(store: Store, { sha256, ...more }: SeededFile): Promise<void> {
  await store(fileDocument, sha256, {
    ...{ sha256, md5: sha256.slice(0, 32), sha1: sha256.slice(0, 40), ssdeep: '3:abc:def', type: 'text/plain' },
    ...{ ascii: 'text', hex: '74657874', magic: 'ASCII text', mime: 'text/plain', entropy: 1.5, size: 10 },
    ...{ seen: { count: 1 }, classification: 'TLP:CLEAR', expiry_ts: '2999-01-02T03:04:05.000000Z', ...more },
  });
}

/** For tests: stores a submission with its files, results and errors. */
export async function seedSubmission(store: Store, seeded: SeededSubmission): Promise<void> {
  const {
    sid,
    classification = 'TLP:CLEAR',
    files,
    results = [],
    keys = [],
    errors = {},
    state = 'completed',
  } = seeded;
  for (const file of files) await seedFile(store, file);
  for (const result of results) await store(resultDocument, resultKey(result), result);
  for (const [sha256, message] of Object.entries(errors)) {
    const response = { message, service_name: 'Mini', service_version: '4.7.4.25', status: 'FAIL_NONRECOVERABLE' };
    await store(errorDocument, errorKey(sha256), { sha256, type: 'EXCEPTION', response });
  }
  const scores = new Map<string, number>();
  for (const { sha256, result } of results) scores.set(sha256, (scores.get(sha256) ?? 0) + result.score);
  const [submitted] = files;
  await store(submissionDocument, sid, {
    ...{ sid, classification, state, expiry_ts: '2999-01-02T03:04:05.000000Z' },
    files: submitted === undefined ? [] : [{ name: 'submitted.txt', sha256: submitted.sha256, size: 10 }],
    results: [...results.map(resultKey), ...keys],
    errors: Object.keys(errors).map(errorKey),
    ...{ file_count: files.length, error_count: Object.keys(errors).length },
    max_score: Math.max(0, ...scores.values()),
    metadata: seeded.metadata ?? {},
    params: {
      ...{ description: 'seeded', submitter: seeded.submitter ?? 'ana', classification },
      services: { selected: ['Mini'] },
    },
    times: {
      submitted: '2026-01-02T03:04:05.000000Z',
      ...(state === 'completed' ? { completed: '2026-01-02T03:04:06.000000Z' } : {}),
    },
  });
}

/** For tests: the key of the error of a file. */
export function errorKey(sha256: string): string {
  return `${sha256}.Mini.v4_7_4_25.c0.e1`;
}
