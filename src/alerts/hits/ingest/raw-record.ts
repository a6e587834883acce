import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isObject } from '../../../documents/schema/plain-objects.ts';
import { newId } from '../../../documents/schema/values/field-values.ts';
import { pythonTypeName } from '../../../documents/schema/values/python-text.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import { pythonJson } from '../changes/python-json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** An alert or event as it was sent, looked into whichever form it has: nested, flat (`howler.data`) or mixed. Never changed. */
export class RawRecord {
  readonly #input: JsonObject;
  readonly #howler: JsonObject;

  /** @param kind name of the kind of record, for the error text. @throws InvalidInput `invalid_document`, for what is not an object */
  constructor(input: unknown, kind: string) {
    if (!isObject(input)) {
      const message = `[${kind}] Expected an object, got ${pythonTypeName(input)}`;
      throw new InvalidInput('invalid_document', message, { at: kind });
    }
    this.#input = input as JsonObject;
    const { howler } = this.#input;
    this.#howler = isObject(howler) ? (howler as JsonObject) : {};
  }

  /** A member of `howler`. Flat keys win over nested ones. */
  howlerValue(name: string): unknown {
    return this.#input[`howler.${name}`] ?? this.#howler[name];
  }

  /**
   * The input with its hash, raw records as text, and without an identifier: that is never the sender's.
   * @param told what the hash is made of besides the raw records, when none was sent
   */
  prepared(told: JsonObject = {}): JsonObject {
    const { id: _id, data: _data, hash: _hash, ...howler } = this.#howler;
    const { 'howler.id': _flatId, 'howler.data': _flatData, 'howler.hash': _flatHash, ...input } = this.#input;
    const data = this.howlerValue('data');
    return {
      ...input,
      ...('howler' in input && this.#howler === input.howler ? { howler } : {}),
      'howler.hash': this.howlerValue('hash') ?? hashOf({ ...told, raw_data: data ?? {} }),
      ...(data === undefined ? {} : { 'howler.data': rawRecords(data) }),
    };
  }
}

/** The same recipe as the public system's, by which senders find what they sent before. */
function hashOf(contents: JsonObject): string {
  return hash('sha256', pythonJson(contents, { sortKeys: true }));
}

/** Records that are not text become JSON text. A single text counts as the list of its characters, as in the public system. */
function rawRecords(data: unknown): unknown {
  if (typeof data === 'string') return [...data];
  if (!Array.isArray(data)) return data;
  return data.every((entry) => typeof entry === 'string')
    ? data
    : data.map((entry) => (typeof entry === 'string' ? entry : pythonJson(entry)));
}

/** What alerts and events have in common, as far as identifying them goes. */
interface Identified {
  howler: { id: string };
  event?: { id?: string | undefined; created?: string | undefined; ingested?: string | undefined } | undefined;
}

/** Gives a record that was read a new identifier, and the times that are missing. `now`: as documents keep times. */
export function identify(record: Identified, now: string): void {
  const id = newId();
  record.howler.id = id;
  if (record.event) {
    record.event.id = id;
    record.event.created ??= now;
  } else {
    record.event = { created: now, id, ingested: now };
  }
}

/** Records that are read before other requests get their turn: about 10 ms. */
const READ_AT_ONCE = 200;

/** Yields the records in order, and lets other requests run in between. */
export async function* withPauses<R>(records: readonly R[]): AsyncGenerator<R, void> {
  for (const [at, record] of records.entries()) {
    if (at > 0 && at % READ_AT_ONCE === 0) await setImmediate();
    yield record;
  }
}
