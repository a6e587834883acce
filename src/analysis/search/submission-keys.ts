import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { MATCH_NONE, type QueryNode } from '../../datastore/port/query-tree.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import type { Actor } from '../../identity/actor.ts';
import { ClearedReader } from '../result-views/cleared-reader.ts';
import { fileOfKey } from '../result-views/empty-result.ts';

export interface SubmissionKeysDependencies {
  /** The files, also those in the archive. */
  readonly files: Pick<Collection<FileRecord>, 'getMany'>;
  readonly classification: ClassificationEngine;
}

/** Fields of submissions with keys of results and errors, which begin with the SHA-256 of a file. */
const KEY_FIELDS = ['results', 'errors'] as const;
/** Files that one read loads. */
const CHUNK = 500;
const EVERY_FILE = unrestricted('only the classification of the files is looked at');

type Json = Readonly<Record<string, unknown>>;

/** Leaves the keys of hidden files out of submissions that searches show, and out of their queries. */
export class SubmissionKeys {
  readonly #dependencies: SubmissionKeysDependencies;

  constructor(dependencies: SubmissionKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns whether a field holds keys. */
  holdsKeys(field: string): boolean {
    return (KEY_FIELDS as readonly string[]).includes(field);
  }

  /** Returns documents without the keys of files that the actor may not see. */
  async shown(actor: Pick<Actor, 'classification'>, documents: readonly Json[]): Promise<readonly Json[]> {
    const listsOf = (document: Json) => KEY_FIELDS.map((field) => [field, keysAt(document, field)] as const);
    const hidden = await this.hiddenFiles(
      actor,
      documents.flatMap((document) => listsOf(document).flatMap(([, keys]) => keys)),
    );
    if (hidden.size === 0) return documents;
    return documents.map((document) => {
      const lists = listsOf(document)
        .filter(([field]) => field in document)
        .map(([field, keys]) => [field, keys.filter((key) => !hidden.has(fileOfKey(key) ?? ''))] as const);
      return { ...document, ...Object.fromEntries(lists) };
    });
  }

  /** Returns queries that find nothing by the name of a file that the actor may not see. */
  async searched(actor: Pick<Actor, 'classification'>, queries: readonly QueryNode[]): Promise<readonly QueryNode[]> {
    const named = queries.flatMap((query) => [...keyConditions(query)].flatMap(textsOf));
    const hidden = await this.hiddenFiles(actor, named.map(asKey));
    if (hidden.size === 0) return queries;
    const namesHidden = (text: string) => hidden.has(asKey(text).slice(0, 64));
    return queries.map((query) => withoutConditions(query, (node) => textsOf(node).some(namesHidden)));
  }

  /** Returns the files of keys that the actor may not see, by SHA-256. */
  async hiddenFiles(actor: Pick<Actor, 'classification'>, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const { files, classification } = this.#dependencies;
    const hidden = new Set<string>();
    if (!classification.enforce) return hidden;
    const reader = new ClearedReader(classification, actor.classification);
    const hashes = [...new Set(keys.flatMap((key) => fileOfKey(key) ?? []))];
    for (let at = 0; at < hashes.length; at += CHUNK) {
      for (const file of await files.getMany(hashes.slice(at, at + CHUNK), EVERY_FILE)) {
        if (file !== undefined && !reader.sees(file.classification)) hidden.add(file.sha256);
      }
    }
    return hidden;
  }
}

/** A key, or the begin of one that names the whole file, with what ends the name of the file. */
function asKey(text: string): string {
  return `${text}.`;
}

function* keyConditions(node: QueryNode): Generator<QueryNode> {
  if (node.kind === 'boolean') {
    for (const inner of [...node.must, ...node.should, ...node.mustNot]) yield* keyConditions(inner);
  } else if ('field' in node && (KEY_FIELDS as readonly string[]).includes(node.field)) yield node;
}

/** Returns the texts that a condition begins with. Patterns that name no whole file have none. */
function textsOf(node: QueryNode): readonly string[] {
  if (node.kind === 'term' || node.kind === 'prefix' || node.kind === 'fuzzy') return [String(node.value)];
  if (node.kind === 'terms') return node.values.map(String);
  if (node.kind === 'wildcard' || node.kind === 'regexp') return [node.pattern.slice(0, 64)];
  if (node.kind !== 'range') return [];
  return [node.lower, node.upper].flatMap((bound) => (bound === undefined ? [] : [String(bound.value)]));
}

/** Replaces conditions on keys with ones that nothing meets. */
function withoutConditions(node: QueryNode, isHidden: (node: QueryNode) => boolean): QueryNode {
  if (node.kind === 'boolean') {
    const each = (nodes: readonly QueryNode[]) => nodes.map((one) => withoutConditions(one, isHidden));
    return { ...node, must: each(node.must), should: each(node.should), mustNot: each(node.mustNot) };
  }
  const isOnKeys = 'field' in node && (KEY_FIELDS as readonly string[]).includes(node.field);
  return isOnKeys && isHidden(node) ? MATCH_NONE : node;
}

function keysAt(document: Json, field: string): readonly string[] {
  const keys = document[field];
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}
