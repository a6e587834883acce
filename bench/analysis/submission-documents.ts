import { Random } from './random.ts';
import { benchResult, CLASSIFICATIONS } from './result-documents.ts';

/** Files and results of each large submission. */
export const LARGE_FILES = 100;
export const RESULTS_OF_LARGE_FILE = 5;

const HOUR = 3_600_000;
/** Days until documents expire, more than they are old. */
const LIFETIME = 180;
const SUBMITTERS = 40;

interface Document {
  readonly id: string;
  readonly document: unknown;
}

/** A submission with its results, and with its files when they are read. */
export interface BenchSubmission {
  readonly submission: Document;
  readonly results: readonly Document[];
  readonly files: readonly Document[];
}

/** Identifier of large submission number `n`. */
export function largeSid(n: number): string {
  return `${'large'.padEnd(10, '0')}${String(n).padStart(12, '0')}`;
}

/**
 * Returns submission number `n` of one file.
 * @param firstResult number of its first result
 */
export function smallSubmission(n: number, firstResult: number, results: number, submitted: number): BenchSubmission {
  const random = new Random(n + 50_000_000);
  const [sid, sha256] = [random.hex(22), random.hex(64)];
  const classification = random.integer(5) === 0 ? random.pick(CLASSIFICATIONS) : CLASSIFICATIONS[0];
  const found = Array.from({ length: results }, (_, at) =>
    benchResult(firstResult + at, { sha256, service: n + at, classification, created: submitted }),
  );
  return {
    submission: submissionOf(random, { sid, submitted, classification, files: [sha256], found }),
    results: found,
    files: [],
  };
}

/** Returns large submission number `n`: an archive whose files were extracted in two levels. */
export function largeSubmission(n: number, firstResult: number, submitted: number): BenchSubmission {
  const random = new Random(n + 90_000_000);
  const files = Array.from({ length: LARGE_FILES }, () => random.hex(64));
  const [classification] = CLASSIFICATIONS;
  const childrenOf = (at: number): readonly string[] =>
    at === 0 ? files.slice(1, 40) : at < 40 ? files.slice(40).filter((_, child) => child % 39 === at - 1) : [];
  const found = files.flatMap((sha256, at) =>
    Array.from({ length: RESULTS_OF_LARGE_FILE }, (_, service) =>
      benchResult(firstResult + at * RESULTS_OF_LARGE_FILE + service, {
        ...{ sha256, service, classification, created: submitted },
        ...(service === 1 ? { extracted: childrenOf(at) } : {}),
      }),
    ),
  );
  const submission = submissionOf(random, { sid: largeSid(n), submitted, classification, files, found });
  return {
    submission,
    results: found,
    files: files.map((sha256) => fileOf(random, sha256, classification, submitted)),
  };
}

interface SubmissionParts {
  readonly sid: string;
  readonly submitted: number;
  readonly classification: string;
  readonly files: readonly string[];
  readonly found: readonly Document[];
}

function submissionOf(random: Random, { sid, submitted, classification, files, found }: SubmissionParts): Document {
  const time = (after: number) => new Date(submitted + after).toISOString();
  const submitter = `user${random.skewed(SUBMITTERS)}`;
  return {
    id: sid,
    document: {
      classification,
      error_count: 0,
      errors: [],
      expiry_ts: time(LIFETIME * 24 * HOUR),
      file_count: files.length,
      files: [{ name: `${random.hex(10)}.bin`, size: 100 + random.integer(9_000_000), sha256: files[0] }],
      max_score: random.integer(3) === 0 ? 10 * random.skewed(200) : 0,
      metadata: { source: `feed${random.skewed(30)}`, ticket: `T-${random.integer(100_000)}` },
      params: {
        classification,
        description: `Inspection of file: ${random.hex(10)}.bin`,
        groups: [random.pick(['USERS', 'TRIAGE', 'FEEDS'])],
        submitter,
        ttl: LIFETIME,
        type: random.pick(['USER', 'INGEST', 'INGEST']),
      },
      results: found.map(({ id }) => id),
      sid,
      state: random.integer(100) === 0 ? 'failed' : 'completed',
      times: { submitted: time(0), completed: time(1000 + random.integer(90_000)) },
    },
  };
}

function fileOf(random: Random, sha256: string, classification: string, seen: number): Document {
  const time = new Date(seen).toISOString();
  return {
    id: sha256,
    document: {
      ...{ ascii: 'MZ......', hex: '4d5a900003000000', classification, entropy: 8 * random.fraction() },
      ...{
        expiry_ts: new Date(seen + LIFETIME * 24 * HOUR).toISOString(),
        magic: 'PE32+ executable',
        mime: 'application/x-dosexec',
      },
      ...{ md5: random.hex(32), sha1: random.hex(40), sha256, size: 100 + random.integer(9_000_000) },
      ...{ ssdeep: `3:${random.hex(24)}:${random.hex(12)}`, type: 'executable/windows/pe64' },
      seen: { count: 1, first: time, last: time },
    },
  };
}
