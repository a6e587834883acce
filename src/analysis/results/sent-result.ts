import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { shownValue } from '../../input/input-reader.ts';
import type { SentHeuristic } from './heuristic-scoring.ts';

type Plain = Readonly<Record<string, unknown>>;

/** A result as a service sends it, read far enough to score it; the rest is checked by its document. */
export interface SentResult {
  readonly members: Plain;
  readonly response: Plain;
  readonly sections: readonly SentSection[];
  readonly temporaryData: Plain;
}

export interface SentSection {
  readonly members: Plain;
  readonly heuristic: (SentHeuristic & { readonly heurId: string }) | undefined;
  readonly tags: unknown;
  /** The score is 0 when all tags of the section are safe. */
  readonly zeroizeOnSafeTags: boolean;
}

/** The file and the analyzer that a result must be about. */
export interface ResultSubject {
  readonly sha256: string;
  readonly service: string;
}

/** A further error or warning beside a result. */
export interface SentNotice {
  readonly message: string;
  readonly error_type?: string | undefined;
}

/** Sections of one result, at most: a list of a document has no more. */
const MAX_SECTIONS = 10_000;
/** Largest number of times that a signature or heuristic counts. */
const MAX_FREQUENCY = 1_000_000;

/**
 * Reads what a service sent for a task (contract/analysis.md section 8.5).
 * @throws InvalidInput `invalid_result` that says which part is wrong; `foreign_result`
 */
export function readSentResult(
  sent: unknown,
  subject: ResultSubject,
  classification: ClassificationEngine,
): SentResult {
  const members = objectAt(sent, 'result');
  const response = objectAt(members.response, 'result.response');
  assertSubject(members.sha256, response.service_name, subject);
  const body = members.result === undefined || members.result === null ? {} : objectAt(members.result, 'result.result');
  const list = body.sections ?? [];
  if (!Array.isArray(list)) throw invalidResult('result.result.sections', 'a list');
  if (list.length > MAX_SECTIONS) throw invalidResult('result.result.sections', `at most ${MAX_SECTIONS} sections`);
  let depth = -1;
  const sections = list.map((one, index) => {
    const section = readSection(one, `result.result.sections.${index}`, depth, classification);
    depth = section.members.depth as number;
    return section;
  });
  const temporaryData = members.temp_submission_data ?? {};
  return { members, response, sections, temporaryData: objectAt(temporaryData, 'result.temp_submission_data') };
}

/** Checks that file and analyzer are those of the task. @throws InvalidInput `foreign_result` */
export function assertSubject(sha256: unknown, service: unknown, subject: ResultSubject): void {
  if (sha256 !== subject.sha256) {
    throw foreignResult(`the file ${shown(sha256)}, not about ${subject.sha256}`, 'sha256');
  }
  if (service !== subject.service) {
    throw foreignResult(`the service ${shown(service)}, not about ${subject.service}`, 'service_name');
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 100) : shownValue(value);
}

function foreignResult(about: string, at: string): InvalidInput {
  return new InvalidInput('foreign_result', `The result is about ${about}, which the task is for.`, { at });
}

function readSection(one: unknown, at: string, before: number, classification: ClassificationEngine): SentSection {
  const { heuristic, tags, zeroize_on_tag_safe: zeroize, ...members } = objectAt(one, at);
  const { depth, body, title_text: title, classification: marking } = members;
  if (!Number.isSafeInteger(depth) || (depth as number) < 0 || (depth as number) > before + 1) {
    throw invalidResult(`${at}.depth`, `a depth from 0 to ${before + 1}, one more than that of the section before it`);
  }
  if (typeof title !== 'string' || title === '') throw invalidResult(`${at}.title_text`, 'a string that is not empty');
  if (body !== undefined && body !== null && (typeof body !== 'string' || body === '')) {
    throw invalidResult(`${at}.body`, 'a string that is not empty, or null');
  }
  if (marking !== undefined && marking !== null) {
    if (typeof marking !== 'string') throw invalidResult(`${at}.classification`, 'a string');
    classification.normalise(marking);
  }
  return {
    members,
    heuristic: heuristic === undefined || heuristic === null ? undefined : readHeuristic(heuristic, `${at}.heuristic`),
    tags,
    zeroizeOnSafeTags: zeroize === true,
  };
}

function readHeuristic(sent: unknown, at: string): SentHeuristic & { readonly heurId: string } {
  const { heur_id: id, attack_ids: attack, signatures, frequency, score_map: scores } = objectAt(sent, at);
  if (!['string', 'number'].includes(typeof id)) throw invalidResult(`${at}.heur_id`, 'a number or a name');
  const attackIds = typeof attack === 'string' ? [attack] : (attack ?? []);
  if (!Array.isArray(attackIds) || !attackIds.every((one) => typeof one === 'string')) {
    throw invalidResult(`${at}.attack_ids`, 'a list of identifiers of ATT&CK');
  }
  return {
    heurId: String(id),
    attackIds,
    signatures: numbersAt(signatures, `${at}.signatures`, 0, MAX_FREQUENCY),
    frequency: numberAt(frequency ?? 1, `${at}.frequency`, 0, MAX_FREQUENCY),
    scores: numbersAt(scores, `${at}.score_map`, -(2 ** 31), 2 ** 31 - 1),
  };
}

function numbersAt(sent: unknown, at: string, lowest: number, highest: number): ReadonlyMap<string, number> {
  const entries = Object.entries(objectAt(sent ?? {}, at));
  if (entries.length > MAX_SECTIONS) throw invalidResult(at, `at most ${MAX_SECTIONS} members`);
  return new Map(entries.map(([name, value]) => [name, numberAt(value, `${at}.${name}`, lowest, highest)]));
}

function numberAt(value: unknown, at: string, lowest: number, highest: number): number {
  if (Number.isInteger(value) && (value as number) >= lowest && (value as number) <= highest) return value as number;
  throw invalidResult(at, `an integer from ${lowest} to ${highest}`);
}

/** Returns a value that must be an object. @throws InvalidInput `invalid_result` */
export function objectAt(value: unknown, at: string): Plain {
  if (!isObject(value)) throw invalidResult(at, 'an object');
  return value;
}

export function invalidResult(at: string, allowed: string): InvalidInput {
  const place = at.length <= 200 ? at : `${at.slice(0, 200)}…`;
  return new InvalidInput('invalid_result', `${place} must be ${allowed}.`, { at: place });
}
