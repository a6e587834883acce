import { type Result, resultDocument } from '../../documents/kinds/analysis/result.ts';
import { RULE_TAG_PREFIX, type Tagging } from '../../documents/kinds/analysis/tagging.ts';
import { isObject, setOwn } from '../../documents/schema/plain-objects.ts';
import { readFieldValue } from '../../documents/schema/read-document.ts';
import { isTriadError, TooLarge } from '../../errors/errors.ts';

export type TagValue = string | number | bigint | boolean;
/** Values by type of tag, each once. */
export type FlatTags = ReadonlyMap<string, ReadonlySet<TagValue>>;

/** A tag that a service sent and that is not valid. */
export interface RejectedTag {
  readonly type: string;
  readonly value: string;
}

interface ReadTags {
  readonly tags: Map<string, Set<TagValue>>;
  readonly rejected: readonly RejectedTag[];
}

/** Tags of one result, at most: checking this many addresses takes 100 ms. */
export const MAX_TAGS = 50_000;

/** Counts the tags of one result. */
export class TagBudget {
  #left = MAX_TAGS;

  /** @throws TooLarge `too_many_tags` */
  spend(): void {
    this.#left -= 1;
    if (this.#left >= 0) return;
    throw new TooLarge('too_many_tags', `A result has at most ${MAX_TAGS} tags.`, { at: 'result.sections.tags' });
  }
}

/** Reads the tags of a section, nested or with dotted types. @throws as `TagBudget` */
export function readTags(sent: unknown, budget: TagBudget): ReadTags {
  const tags = new Map<string, Set<TagValue>>();
  const rejected: RejectedTag[] = [];
  for (const [type, value] of flatValues(sent, '')) {
    budget.spend();
    const read = readTag(type, value);
    if (read === undefined) rejected.push({ type, value: shownValue(value) });
    else addTag(tags, type, read);
  }
  return { tags, rejected };
}

/** Reads one value; undefined when the type is unknown or the value is not valid. */
export function readTag(type: string, value: unknown): TagValue | undefined {
  const isRule = type.startsWith(RULE_TAG_PREFIX);
  try {
    const path = `result.sections.tags.${type}`;
    // A rule is a member of a mapping, whose value is the whole list.
    const read = readFieldValue(resultDocument, path, isRule ? [value] : value, { item: true, keepNul: true });
    const one = isRule && Array.isArray(read) ? read[0] : read;
    return isScalar(one) ? one : undefined;
  } catch (error) {
    if (isTriadError(error)) return undefined;
    throw error;
  }
}

export function addTag(tags: Map<string, Set<TagValue>>, type: string, value: TagValue): void {
  const values = tags.get(type);
  if (values === undefined) tags.set(type, new Set([value]));
  else values.add(value);
}

/** Returns the tags as they are stored: objects by the parts of their types. */
export function nestedTags(tags: FlatTags): Tagging {
  const root: Record<string, unknown> = {};
  for (const [type, values] of tags) {
    const isRule = type.startsWith(RULE_TAG_PREFIX);
    const parts = isRule ? ['file', 'rule', type.slice(RULE_TAG_PREFIX.length)] : type.split('.');
    const last = parts.pop() as string;
    let at = root;
    for (const part of parts) at = (at[part] ?? setOwn(at, part, {})) as Record<string, unknown>;
    setOwn(at, last, [...values]);
  }
  return root as Tagging;
}

/** Returns the tags of a stored result with the scores of the sections that have them. */
export function storedTags({ result: { sections } }: Result): readonly ScoredTag[] {
  const scores = new TagScores();
  for (const { tags, heuristic } of sections) {
    for (const [type, value] of flatValues(tags, '')) scores.add(type, String(value), heuristic?.score ?? 0);
  }
  return scores.list();
}

/** A tag of a result with the scores of the sections that have it. */
export interface ScoredTag {
  readonly type: string;
  readonly value: string;
  readonly score: number;
}

/** Adds up the scores of tags. */
export class TagScores {
  readonly #found = new Map<string, { readonly type: string; readonly value: string; score: number }>();

  add(type: string, value: string, score: number): void {
    const key = `${type}:${value}`;
    const tag = this.#found.get(key);
    if (tag === undefined) this.#found.set(key, { type, value, score });
    else tag.score += score;
  }

  list(): readonly ScoredTag[] {
    return [...this.#found.values()];
  }
}

function* flatValues(sent: unknown, prefix: string): Generator<readonly [type: string, value: unknown]> {
  if (sent === null || sent === undefined) return;
  if (Array.isArray(sent)) {
    for (const value of sent) if (value !== null) yield [prefix, value];
  } else if (isObject(sent)) {
    for (const [key, value] of Object.entries(sent)) yield* flatValues(value, prefix === '' ? key : `${prefix}.${key}`);
  } else yield [prefix, sent];
}

function isScalar(value: unknown): value is TagValue {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/** Longest value that the message about rejected tags shows. */
const MAX_SHOWN = 200;

function shownValue(value: unknown): string {
  const text = isScalar(value) ? String(value) : JSON.stringify(value);
  const shown = text.replaceAll('\0', '\\0').toWellFormed();
  return shown.length <= MAX_SHOWN ? shown : `${shown.slice(0, MAX_SHOWN)}…`;
}
