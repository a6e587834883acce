import { isTriadError, messageOf } from '../../../errors/errors.ts';
import { rejectImpossible } from '../../../http/input/request-body.ts';
import type { Actor } from '../../../identity/actor.ts';
import { parseJson } from '../../../json/lossless-json.ts';
import type { HitService } from '../hit-service.ts';

export interface HitImportDependencies {
  service: Pick<HitService, 'read' | 'create'>;
}

export interface HitImportOptions {
  /** Fields that do not exist: refused (default), or left out. */
  readonly unknown?: 'refuse' | 'warn';
  /** A line that is not stored, counted from 1. */
  readonly onRefused: (line: number, reason: string) => void;
  /** After each batch: what was done so far. */
  readonly onProgress: (done: ImportCount) => void;
}

export interface ImportCount {
  readonly stored: number;
  readonly refused: number;
}

/** Alerts that are read and stored together. */
const BATCH = 500;

/** Alerts from lines of JSON, one a line, by the same rules as through the interface; blank lines are skipped. */
export class HitImport {
  readonly #service: HitImportDependencies['service'];

  constructor(dependencies: HitImportDependencies) {
    this.#service = dependencies.service;
  }

  /**
   * Stores what can be stored and tells of every line that cannot. What `onProgress` has counted is on disk.
   * @throws Unavailable when the datastore gives up
   */
  async run(actor: Actor, lines: AsyncIterable<string>, options: HitImportOptions): Promise<ImportCount> {
    let number = 0;
    let done: ImportCount = { stored: 0, refused: 0 };
    let batch: Line[] = [];
    const flush = async () => {
      const stored = await this.#store(actor, batch, options);
      done = { stored: done.stored + stored, refused: done.refused + batch.length - stored };
      batch = [];
      options.onProgress(done);
    };
    for await (const text of lines) {
      number += 1;
      if (text.trim() !== '') batch.push({ number, text });
      if (batch.length === BATCH) await flush();
    }
    if (batch.length > 0) await flush();
    return done;
  }

  /** How many were stored. */
  async #store(actor: Actor, batch: readonly Line[], { unknown, onRefused }: HitImportOptions): Promise<number> {
    const hits = [];
    for (const { number, text } of batch) {
      const parsed = parseLine(text);
      if ('reason' in parsed) {
        onRefused(number, parsed.reason);
        continue;
      }
      const { valid, invalid } = await this.#service.read(
        actor,
        [parsed.value],
        unknown === undefined ? {} : { unknown },
      );
      for (const { error } of invalid) onRefused(number, error);
      for (const { hit } of valid) hits.push(hit);
    }
    await this.#service.create(actor, hits, 'soon');
    return hits.length;
  }
}

interface Line {
  readonly number: number;
  readonly text: string;
}

function parseLine(text: string): { value: unknown } | { reason: string } {
  try {
    const value: unknown = parseJson(text);
    rejectImpossible(value);
    return { value };
  } catch (error) {
    if (isTriadError(error)) return { reason: error.message };
    return { reason: `not JSON: ${messageOf(error)}` };
  }
}
