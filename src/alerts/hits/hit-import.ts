import { isTriadError, messageOf } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { rejectImpossible } from '../../json/json-limits.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { HitService } from './hit-service.ts';

export interface HitImportOptions {
  /** Fields that do not exist: refused (default), or left out. */
  readonly unknown?: 'refuse' | 'warn';
  /** Called for each line that is not stored, counted from 1. */
  readonly onRefused: (line: number, reason: string) => void;
  /** Called after each batch with the totals so far. */
  readonly onProgress: (done: ImportCount) => void;
}

export interface ImportCount {
  readonly stored: number;
  readonly refused: number;
}

/** Alerts that are read and stored together. */
const BATCH = 500;

/** Returns a function that stores lines of JSON. What `onProgress` counts as stored is on disk. */
export function hitImport(service: HitService) {
  return async (
    actor: Actor,
    lines: AsyncIterable<string>,
    { unknown = 'refuse', onRefused, onProgress }: HitImportOptions,
  ): Promise<ImportCount> => {
    let number = 0;
    let done: ImportCount = { stored: 0, refused: 0 };
    let batch: { readonly number: number; readonly text: string }[] = [];
    const flush = async () => {
      const hits = [];
      for (const { number, text } of batch) {
        const parsed = parseLine(text);
        const { valid, invalid } =
          'error' in parsed ? { valid: [], invalid: [parsed] } : await service.read(actor, [parsed.value], { unknown });
        for (const { error } of invalid) onRefused(number, error);
        for (const { record } of valid) hits.push(record);
      }
      await service.create(actor, hits, 'soon');
      done = { stored: done.stored + hits.length, refused: done.refused + batch.length - hits.length };
      batch = [];
      onProgress(done);
    };
    for await (const text of lines) {
      number += 1;
      if (text.trim() !== '') batch.push({ number, text });
      if (batch.length === BATCH) await flush();
    }
    if (batch.length > 0) await flush();
    return done;
  };
}

function parseLine(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    const value: unknown = parseJson(text);
    rejectImpossible(value);
    return { value };
  } catch (error) {
    return { error: isTriadError(error) ? error.message : `not JSON: ${messageOf(error)}` };
  }
}
