import { hash } from 'node:crypto';
import { formatDate } from '../../documents/date-values.ts';
import { type Hit, hitDocument } from '../../documents/hit.ts';
import { newId } from '../../documents/new-id.ts';
import { pythonTypeName } from '../../documents/python-text.ts';
import { type ClassificationRules, readDocument } from '../../documents/read-document.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pythonJson } from './python-json.ts';
import { ESCALATION_OF_ASSESSMENT } from './triage-transitions.ts';

export interface NewHitOptions {
  readonly classification: ClassificationRules;
  readonly now: Date;
  /** Fields that do not exist: `refuse` (default), or `warn` and leave them out. */
  readonly unknown?: 'refuse' | 'warn';
}

export interface NewHit {
  readonly hit: Hit;
  /** For the sender, in the public system's words. */
  readonly warnings: readonly string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Names that read well; others are accepted with a warning. */
const GOOD_NAME = /^[A-Za-z ]+$/;

/**
 * An alert as a tool sends it, made into one that can be stored (contract/alert.md section 3.4): a new identifier, a hash when none
 * came, the times that are missing, and verdict, escalation and status in agreement. Pure but for the identifier.
 * @param input nested, flat (`howler.analytic`) or mixed; not changed
 * @throws InvalidInput `invalid_document` or `invalid_classification`, with the first thing that is wrong
 */
export function readNewHit(input: unknown, options: NewHitOptions): NewHit {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new InvalidInput('invalid_document', `[hit] Expected an object, got ${pythonTypeName(input)}`, { at: 'hit' });
  }
  const given = new GivenHit(input as JsonObject);
  const { document: hit, warnings } = readDocument(hitDocument, given.prepared(), {
    unknown: options.unknown ?? 'refuse',
    classification: options.classification,
    now: options.now,
  });
  const created = formatDate(options.now);
  const id = newId();
  hit.howler.id = id;
  if (hit.event) {
    hit.event.id = id;
    hit.event.created ??= created;
  } else {
    hit.event = { created, id, ingested: created };
  }
  return { hit, warnings: [...warnings, ...nameWarnings(hit), ...agree(hit)] };
}

/** Looks into what was sent, whichever form it has, without changing it. */
class GivenHit {
  readonly #input: JsonObject;
  readonly #howler: JsonObject;

  constructor(input: JsonObject) {
    this.#input = input;
    const { howler } = input;
    this.#howler =
      typeof howler === 'object' && howler !== null && !Array.isArray(howler) ? (howler as JsonObject) : {};
  }

  /** The input with its hash, raw records as text, and without an identifier: that is never the sender's. */
  prepared(): JsonObject {
    const { id: _id, data: _data, hash: _hash, ...howler } = this.#howler;
    const { 'howler.id': _flatId, 'howler.data': _flatData, 'howler.hash': _flatHash, ...input } = this.#input;
    const data = this.#howlerValue('data');
    return {
      ...input,
      ...('howler' in input && this.#howler === input.howler ? { howler } : {}),
      'howler.hash': this.#howlerValue('hash') ?? this.#computedHash(),
      ...(data === undefined ? {} : { 'howler.data': rawRecords(data) }),
    };
  }

  /** Flat keys win over nested ones. */
  #howlerValue(name: string): unknown {
    return this.#input[`howler.${name}`] ?? this.#howler[name];
  }

  /** The same recipe as the public system's, by which senders find what they sent before. */
  #computedHash(): string {
    const contents = {
      analytic: this.#howlerValue('analytic') ?? 'no_analytic',
      detection: this.#howlerValue('detection') ?? 'no_detection',
      raw_data: this.#howlerValue('data') ?? {},
    };
    return hash('sha256', pythonJson(contents, { sortKeys: true }));
  }
}

/** Records that are not text become JSON text. A single text counts as the list of its characters, as in the public system. */
function rawRecords(data: unknown): unknown {
  if (typeof data === 'string') return [...data];
  if (!Array.isArray(data)) return data;
  return data.every((entry) => typeof entry === 'string')
    ? data
    : data.map((entry) => (typeof entry === 'string' ? entry : pythonJson(entry)));
}

function nameWarnings({ howler }: Hit): readonly string[] {
  const warnings: string[] = [];
  for (const [kind, name] of [
    ['analytic', howler.analytic],
    ['detection', howler.detection],
  ] as const) {
    if (!name || GOOD_NAME.test(name)) continue;
    warnings.push(
      `The value ${name} does not match best practices for Howler ${kind} names. See howler's documentation for more information.`,
    );
  }
  return warnings;
}

/** Makes verdict, escalation and status of a new alert agree. */
function agree({ howler }: Hit): readonly string[] {
  const warnings: string[] = [];
  if (howler.assessment) {
    const escalation = ESCALATION_OF_ASSESSMENT[howler.assessment];
    if (howler.escalation !== escalation) {
      howler.escalation = escalation;
      warnings.push(`Hits with assessment ${howler.assessment} must also have escalation set to ${escalation}.`);
    }
  }
  if ((howler.escalation === 'miss' || howler.escalation === 'evidence') && howler.status !== 'resolved') {
    howler.status = 'resolved';
    warnings.push('Hits with escalation miss or evidence must also have their status set to resolved.');
  }
  return warnings;
}
