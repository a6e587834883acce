import { isObject } from '../../../../json/json-object.ts';
import { type ListDetails, type ListEntry, ListProblem } from '../../list-entry.ts';
import type { FormatContext } from '../format-reader.ts';
import { jsonParts } from '../json/json-parts.ts';
import type { JsonPart, JsonShape } from '../json/json-scanner.ts';
import type { LeftOut } from '../left-out.ts';
import { detailsFrom, isoTime, shortened } from '../list-details.ts';
import { strictestMarking } from '../markings.ts';
import { type ListedValue, valueOfType } from '../selector-values.ts';
import { type MispTags, readMispTags } from './misp-tags.ts';

const EVENT = {
  '}': 'event',
  info: 'info',
  date: 'date',
  uuid: 'uuid',
  deleted: 'deleted',
  Orgc: 'organisation',
  Tag: { '[]': 'tag' },
  Attribute: { '[]': 'attribute' },
  Object: { '[]': { '}': 'object', deleted: 'object deleted', Attribute: { '[]': 'object attribute' } } },
};
/**
 * Forms of a document: an event with its key, or without it as PyMISP writes it, the answer of a
 * search, a list of events.
 */
const SHAPE: JsonShape = {
  ...EVENT,
  Event: EVENT,
  response: { '[]': { Event: EVENT }, Event: EVENT },
  '[]': { Event: EVENT },
};

/** Maximum number of attributes of an event that wait for its tags, which may follow them. */
const MAX_WAITING = 200_000;
const MAX_WAITING_BYTES = 96 * 1024 ** 2;
const MAX_TAGS = 10_000;
/** Types of attributes → the types of the parts of their values. */
const TYPES: ReadonlyMap<string, readonly (string | undefined)[]> = new Map([
  ...'ip-src ip-dst'.split(' ').flatMap((name): [string, (string | undefined)[]][] => [
    [name, ['ip']],
    [`${name}|port`, ['ip']],
  ]),
  ['domain', ['domain']],
  ['hostname', ['hostname']],
  ['hostname|port', ['hostname']],
  ['domain|ip', ['domain', 'ip']],
  ...'url uri link'.split(' ').map((name): [string, string[]] => [name, ['url']]),
  ...'email email-src email-dst email-reply-to'.split(' ').map((name): [string, string[]] => [name, ['email_address']]),
  ...'md5 sha1 sha256 sha512'.split(' ').flatMap((name): [string, (string | undefined)[]][] => [
    [name, [name]],
    [`filename|${name}`, [undefined, name]],
  ]),
  ['malware-sample', [undefined, 'md5']],
  ['user-agent', ['user_agent']],
  ['vulnerability', ['cve']],
]);

/** An attribute, reduced to what entries are made of. */
interface WaitingAttribute {
  readonly values: readonly ListedValue[];
  readonly tags: MispTags;
  readonly category: string | undefined;
  readonly comment: string | undefined;
  readonly since: string | undefined;
}

/**
 * Reads the attributes of events and of their objects that are meant for detection (`to_ids`).
 * Markings and other tags of an event are those of its attributes, too; the strictest marking
 * counts.
 */
export async function* readMispEvent(context: FormatContext): AsyncGenerator<readonly ListEntry[]> {
  const { document, signal, leftOut } = context;
  const onTooLarge = () => leftOut.add('is larger than 1 MB');
  let event = new MispEvent(document.place, leftOut);
  let events = 0;
  for await (const parts of jsonParts(document, SHAPE, { signal, onTooLarge })) {
    for (const part of parts) {
      if (part.name !== 'event') {
        event.add(part);
        continue;
      }
      // The object around an event ends, too.
      if (event.isThere) events += 1;
      yield* event.entries();
      event = new MispEvent(document.place, leftOut);
    }
  }
  if (events === 0) throw new ListProblem(document.place, 'it is not a MISP event, which has the key "info"');
}

class MispEvent {
  readonly #place: string;
  readonly #leftOut: LeftOut;
  readonly #about = new Map<string, unknown>();
  readonly #attributes: WaitingAttribute[] = [];
  readonly #tags: unknown[] = [];
  #bytes = 0;
  #ofObject: WaitingAttribute[] = [];
  #isObjectDeleted = false;

  constructor(place: string, leftOut: LeftOut) {
    this.#place = place;
    this.#leftOut = leftOut;
  }

  /** Returns whether it has what each event has. */
  get isThere(): boolean {
    return this.#about.has('info');
  }

  /** @throws ListProblem for an event with too many attributes before its tags */
  add({ name, value, bytes }: JsonPart): void {
    this.#bytes += bytes;
    if (name === 'tag') this.#tags.push(value);
    else if (name === 'attribute') this.#addAttribute(value, this.#attributes);
    else if (name === 'object attribute') this.#addAttribute(value, this.#ofObject);
    else if (name === 'object deleted') this.#isObjectDeleted = isTrue(value);
    else if (name === 'object') {
      if (this.#isObjectDeleted) this.#leftOut.addIntended('is deleted');
      else for (const attribute of this.#ofObject) this.#attributes.push(attribute);
      this.#ofObject = [];
      this.#isObjectDeleted = false;
    } else this.#about.set(name, value);
    const waiting = this.#attributes.length + this.#ofObject.length;
    if (waiting > MAX_WAITING || this.#bytes > MAX_WAITING_BYTES || this.#tags.length > MAX_TAGS) {
      const limits = `${MAX_WAITING} attributes, ${MAX_WAITING_BYTES} bytes of them, or ${MAX_TAGS} tags`;
      throw new ListProblem(this.#place, `it has an event of more than ${limits}`);
    }
  }

  *entries(): Generator<readonly ListEntry[]> {
    if (isTrue(this.#about.get('deleted'))) {
      this.#leftOut.addIntended('is deleted');
      return;
    }
    const tags = readMispTags(this.#tags);
    const organisation = this.#about.get('organisation');
    const shared = {
      author: isObject(organisation) ? textOf(organisation.name) : undefined,
      summary: textOf(this.#about.get('info')),
      validFrom: isoTime(this.#about.get('date')),
    };
    for (let start = 0; start < this.#attributes.length; start += 1000) {
      yield this.#attributes.slice(start, start + 1000).flatMap((attribute) => entriesOf(attribute, tags, shared));
    }
  }

  #addAttribute(value: unknown, attributes: WaitingAttribute[]): void {
    if (!isObject(value)) this.#leftOut.add('is not an attribute');
    else if (isTrue(value.deleted)) this.#leftOut.addIntended('is deleted');
    else if (!isTrue(value.to_ids)) this.#leftOut.addIntended('is not meant for detection (to_ids)');
    else {
      const attribute = readAttribute(value);
      if (typeof attribute === 'string') this.#leftOut.add(attribute);
      else attributes.push(attribute);
    }
  }
}

/** Returns what entries are made of, or why there are none. */
function readAttribute(attribute: Readonly<Record<string, unknown>>): WaitingAttribute | string {
  const name = textOf(attribute.type) ?? '';
  const types = TYPES.get(name);
  if (types === undefined) return 'is an attribute of a type that cannot be looked up';
  const written = textOf(attribute.value) ?? '';
  const texts = name.includes('|') || types.length > 1 ? written.split('|') : [written];
  const values = types.flatMap((type, index) =>
    type === undefined ? [] : (valueOfType(type, texts[index] ?? '') ?? []),
  );
  if (values.length === 0) return 'is an attribute whose value is not of its type';
  return {
    values,
    tags: readMispTags(attribute.Tag),
    category: textOf(attribute.category),
    comment: shortened(textOf(attribute.comment)),
    since: isoTime(attribute.first_seen),
  };
}

function entriesOf(
  { values, tags: own, category, comment, since }: WaitingAttribute,
  tags: MispTags,
  { author, summary, validFrom }: Pick<ListDetails, 'author' | 'summary' | 'validFrom'>,
): ListEntry[] {
  const details = detailsFrom({
    author,
    confidence: own.confidence ?? tags.confidence,
    tags: [...new Set([...own.tags, ...tags.tags, ...(category === undefined ? [] : [category])])],
    killChain: [...new Set([...own.killChain, ...tags.killChain])],
    validFrom: since ?? validFrom,
    summary: [summary, comment].filter((text) => text !== undefined && text !== '').join(': '),
  });
  const marking = strictestMarking([own.marking, tags.marking].filter((one) => one !== undefined));
  return values.map(({ type, value, isNetwork }) => ({
    match: isNetwork ? 'cidr' : 'exact',
    type,
    value,
    marking,
    details,
  }));
}

/** Returns true for the ways in which versions of MISP write the boolean true. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
