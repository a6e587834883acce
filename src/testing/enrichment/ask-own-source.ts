import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { type QueryEntry, readBulkEntry, type SentResult } from '../../enrichment/models/query-result.ts';
import type { OwnSource } from '../../enrichment/sources/own-source.ts';
import type { LookupFlags, SourceCall } from '../../enrichment/sources/source-client.ts';
import { isObject } from '../../json/json-object.ts';
import { enforcedClassification } from '../analysis/enforced-classification.ts';

const engine = enforcedClassification;
const FLAGS: LookupFlags = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };

/** Returns a call of an unrestricted user that has five seconds. */
export function aSourceCall(): SourceCall {
  const caller = { username: 'ana', classification: engine.unrestricted };
  return { signal: new AbortController().signal, deadline: Date.now() + 5_000, caller };
}

/** Looks up one value; fails if the answer is not readable. Returns its items. */
export async function askOwnSource(
  { source }: OwnSource,
  { type, value }: { readonly type: string; readonly value: string },
  changes: Partial<LookupFlags> = {},
): Promise<readonly QueryEntry[]> {
  const asked = [{ type, value, classification: engine.unrestricted }];
  const answer = await source.lookup(asked, { ...FLAGS, ...changes }, aSourceCall());
  const values = isObject(answer) ? answer[type] : undefined;
  const entry = isObject(values) ? values[value] : undefined;
  if (entry === undefined) return [];
  const reading = readBulkEntry(entry, { engine });
  assert.ok('ok' in reading, JSON.stringify(reading));
  return reading.ok.items.filter(isEntry);
}

function isEntry(item: SentResult['items'][number]): item is QueryEntry {
  return Array.isArray(item.annotations);
}

/** Replaces a file at once, so that no reader sees half of it. */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  await writeFile(`${path}.next`, content);
  await rename(`${path}.next`, path);
}
