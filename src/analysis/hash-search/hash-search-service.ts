import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { AnalysisAlert } from '../../documents/kinds/analysis/alert.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Result } from '../../documents/kinds/analysis/result.ts';
import { InvalidInput, NotFound } from '../../errors/errors.ts';
import type { AnalysisActor } from '../../identity/actor-factory.ts';
import { latestResults } from '../file-results/file-results-service.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { visibleContent } from '../result-views/format-result.ts';
import { type ExternalSources, NOT_FOUND, NOT_SUPPORTED, type SourceAnswer } from './external-sources.ts';

export interface HashSearchDependencies {
  readonly files: Collection<FileRecord>;
  readonly results: Collection<Result>;
  readonly alerts: Collection<AnalysisAlert>;
  readonly external: ExternalSources;
  readonly classification: ClassificationEngine;
}

export interface HashQuestion {
  readonly hash: string;
  /** Names of sources, external ones with `x.` in front; undefined: those of this system. */
  readonly sources: readonly string[] | undefined;
  /** Classification of the hash; undefined: that of the caller. */
  readonly classification: string | undefined;
  readonly limit: number;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Kinds of hashes in the order in which they are tried. */
const HASHES = {
  sha256: /^[a-f0-9]{64}$/i,
  md5: /^[a-f0-9]{32}$/i,
  sha1: /^[a-f0-9]{40}$/i,
  ssdeep: /^[0-9]{1,18}:[a-zA-Z0-9/+]{0,64}:[a-zA-Z0-9/+]{0,64}$/,
  tlsh: /^(?:T1)?[0-9a-fA-F]{70}$/,
} as const;
type HashType = keyof typeof HASHES;

/** Hashes that this system itself is searched by. */
const OWN_HASHES: readonly HashType[] = ['sha256', 'md5', 'sha1'];
/** Sources of this system with the role that each needs. */
const OWN_SOURCES = { al: 'submission_view', alert: 'alert_view' } as const;
type OwnSource = keyof typeof OWN_SOURCES;

const MAX_FILES = 5;
const MAX_ALERTS = 5;
const EXTERNAL = 'x.';
/** From these scores on, a file is malicious, and that is confirmed. */
const FILE_SCORES = { malicious: 1000, confirmed: 2000, confirmedSafe: -499 };
const ALERT_SCORES = { malicious: 500, confirmed: 2000, confirmedSafe: -100 };

/** Looks hashes up in files, alerts and other systems. */
export class HashSearchService {
  readonly #dependencies: HashSearchDependencies;

  constructor(dependencies: HashSearchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the names of all sources that the actor may know of. */
  sources(actor: AnalysisActor): readonly string[] {
    const external = this.#dependencies.external.visibleTo(actor).map(({ name }) => `${EXTERNAL}${name}`);
    return [...Object.keys(OWN_SOURCES), ...external].sort();
  }

  /**
   * Returns what each source knows of a hash.
   * @throws InvalidInput `invalid_hash`, `hash_type_unsupported`; NotFound `hash_not_found`
   */
  async search(actor: AnalysisActor, question: HashQuestion): Promise<Readonly<Record<string, SourceAnswer>>> {
    const type = hashTypeOf(question.hash);
    if (type === undefined) {
      const known = Object.keys(HASHES).join(', ');
      throw new InvalidInput('invalid_hash', `Invalid hash. This API only supports ${known}.`);
    }
    const isOwnHash = OWN_HASHES.includes(type);
    const hash = isOwnHash ? question.hash.toLowerCase() : question.hash;
    const names = question.sources ?? Object.keys(OWN_SOURCES);
    const own = Object.entries(OWN_SOURCES).flatMap(([name, role]) =>
      names.includes(name) && actor.roles.has(role) ? [name as OwnSource] : [],
    );
    const external = actor.roles.has('external_query') ? this.#dependencies.external.visibleTo(actor) : [];
    const asked = external.filter(({ name }) => names.includes(`${EXTERNAL}${name}`));
    const answers = await Promise.all([
      ...own.map(async (name) => {
        const answer = isOwnHash ? this.#own(name, actor, type, hash) : { error: NOT_SUPPORTED, items: [] };
        return [name, await inTime(answer, question.timeout)] as const;
      }),
      ...asked.map(async (source) => {
        const { classification = actor.classification, limit, timeout } = question;
        const asking = this.#dependencies.external.ask(actor, source, {
          type,
          value: hash,
          classification,
          limit,
          timeout,
        });
        return [`${EXTERNAL}${source.name}`, await inTime(asking, timeout)] as const;
      }),
    ]);
    return judged(Object.fromEntries(answers));
  }

  async #own(name: OwnSource, actor: AnalysisActor, type: HashType, hash: string): Promise<SourceAnswer> {
    const items = name === 'al' ? await this.#files(actor, type, hash) : await this.#alerts(actor, type, hash);
    return { error: null, items };
  }

  async #files(actor: AnalysisActor, type: HashType, hash: string): Promise<readonly object[]> {
    const { files, results, classification } = this.#dependencies;
    const reader = new ClearedReader(classification, actor.classification);
    const query = { kind: 'term', field: type, value: hash } as const;
    const { items } = await files.search({ query, rows: MAX_FILES }, actor.searchAccess);
    return await Promise.all(
      items.map(async ({ document: file }) => {
        const latest = await latestResults(results, actor, file.sha256);
        const scores = latest.map(
          ({ document }) =>
            [document.response.service_name, visibleContent(document, file.classification, reader).score] as const,
        );
        const score = scores.reduce((sum, [, one]) => sum + one, 0);
        const { md5, sha1, sha256, size, type: kind, seen } = file;
        return {
          classification: file.classification,
          confirmed: score >= FILE_SCORES.confirmed || score < FILE_SCORES.confirmedSafe,
          data: {
            ...{ classification: file.classification, md5, sha1, sha256, size, type: kind, score },
            seen: { count: seen.count, last: seen.last },
            score_map: Object.fromEntries(scores),
          },
          description: `File found in AL with score of ${score}.`,
          malicious: score >= FILE_SCORES.malicious,
        };
      }),
    );
  }

  async #alerts(actor: AnalysisActor, type: HashType, hash: string): Promise<readonly object[]> {
    const query = { kind: 'term', field: `file.${type}`, value: hash } as const;
    const sort = [{ field: 'al.score', order: 'desc' }] as const;
    const { items, total } = await this.#dependencies.alerts.search(
      { query, sort, rows: MAX_ALERTS },
      actor.searchAccess,
    );
    if (total === 0) return [];
    const scores = items.map(({ document }) => document.al.score);
    return [
      {
        confirmed: scores.some((score) => score >= ALERT_SCORES.confirmed || score <= ALERT_SCORES.confirmedSafe),
        data: items.map(({ id, document }) => ({
          classification: document.classification,
          date: document.reporting_ts,
          id,
          score: document.al.score,
        })),
        description: `Alerted on ${total} times`,
        malicious: scores.some((score) => score >= ALERT_SCORES.malicious),
      },
    ];
  }
}

function hashTypeOf(hash: string): HashType | undefined {
  return (Object.keys(HASHES) as HashType[]).find((type) => HASHES[type].test(hash));
}

/** @throws InvalidInput `hash_type_unsupported`, NotFound `hash_not_found` when no source differs */
function judged(answers: Readonly<Record<string, SourceAnswer>>): Readonly<Record<string, SourceAnswer>> {
  const all = Object.values(answers);
  if (all.some(({ items }) => items.length > 0)) {
    const entries = Object.entries(answers).map(([name, answer]) => [
      name,
      answer.error === NOT_FOUND ? { ...answer, error: null } : answer,
    ]);
    return Object.fromEntries(entries);
  }
  if (all.every(({ error }) => error === NOT_FOUND))
    throw new NotFound('hash_not_found', NOT_FOUND, { response: answers });
  if (all.every(({ error }) => error === NOT_SUPPORTED)) {
    throw new InvalidInput('hash_type_unsupported', NOT_SUPPORTED, { response: answers });
  }
  return answers;
}

/** Returns the answer, or that the source took too long. */
async function inTime(answer: SourceAnswer | Promise<SourceAnswer>, timeout: number): Promise<SourceAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SourceAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ error: 'Transport timeout', items: [] }), timeout);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
