import type { ClassificationEngine } from '../../classification/classification.ts';
import { isObject } from '../../json/json-object.ts';
import { readLink } from './link.ts';
import { readTimestamp } from './timestamp.ts';

/** Why a value is not the model that it should be. */
export interface ModelProblem {
  /** Dotted path below the model, for example `annotations.[0].summary`; empty for the model itself. */
  readonly at: string;
  readonly reason: string;
}

/** A model, with defaults filled in, or everything that is wrong with the value. */
export type ModelReading<T> = { readonly ok: T } | { readonly problems: readonly ModelProblem[] };

export interface ModelContext {
  readonly engine: ClassificationEngine;
}

/** Problems of a model that are collected: the answer of a hostile source may have millions. */
const MAX_PROBLEMS = 50;
/** Problems that a message names. */
const MAX_NAMED_PROBLEMS = 20;

/** Returns `"path": reason, "path": reason` as messages of the protocol name problems. */
export function describeProblems(problems: readonly ModelProblem[]): string {
  const named = problems.slice(0, MAX_NAMED_PROBLEMS).map(({ at, reason }) => `"${at}": ${reason}`);
  return `${named.join(', ')}${problems.length > named.length ? ', and more' : ''}`;
}

/** Returns a reading with the single problem that the whole value has. */
export function problem(reason: string, at = ''): { readonly problems: readonly ModelProblem[] } {
  return { problems: [{ at, reason }] };
}

export interface NumberRange {
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * Reads the fields of an object one by one and collects their problems.
 * A method returns a placeholder for a field that it rejects: `done` returns the problems then. Numbers and booleans
 * may be strings, as the public system takes them; null counts as absent for optional fields alone.
 */
export class ModelFields {
  readonly #record: Readonly<Record<string, unknown>>;
  #problems: ModelProblem[] | undefined;

  constructor(record: Readonly<Record<string, unknown>>) {
    this.#record = record;
  }

  /** Returns the model of `make` unless a field is wrong; `check` returns a problem of the whole. */
  done<T>(make: () => T, check?: () => string | undefined): ModelReading<T> {
    if (this.#problems !== undefined) return { problems: this.#problems };
    const reason = check?.();
    return reason === undefined ? { ok: make() } : problem(reason);
  }

  reject(name: string, reason: string): void {
    this.#problems ??= [];
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ at: name, reason });
  }

  raw(name: string): unknown {
    return this.#record[name];
  }

  string(name: string, fallback?: string): string {
    const value = this.#record[name];
    if (typeof value === 'string') return value;
    if (value === undefined && fallback !== undefined) return fallback;
    this.reject(name, value === undefined ? 'is required' : 'must be a string');
    return '';
  }

  optionalString(name: string): string | undefined {
    const value = this.#record[name];
    return value === undefined || value === null ? undefined : this.string(name);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], fallback?: T): T {
    const value = this.#record[name];
    if (value === undefined && fallback !== undefined) return fallback;
    if (allowed.includes(value as T)) return value as T;
    this.reject(name, value === undefined ? 'is required' : `must be one of ${allowed.join(', ')}`);
    return allowed[0] as T;
  }

  number(name: string, options: { readonly fallback?: number; readonly range?: NumberRange } = {}): number {
    const value = this.#record[name];
    if (value === undefined && options.fallback !== undefined) return options.fallback;
    const number = numberOf(value);
    const { range } = options;
    if (number === undefined) this.reject(name, value === undefined ? 'is required' : 'must be a number');
    else if (range !== undefined && (number < range.minimum || number > range.maximum)) {
      this.reject(name, `must be from ${range.minimum} to ${range.maximum}`);
    }
    return number ?? 0;
  }

  optionalNumber(name: string, range?: NumberRange): number | undefined {
    const value = this.#record[name];
    if (value === undefined || value === null) return undefined;
    return this.number(name, range === undefined ? {} : { range });
  }

  integer(name: string, fallback: number): number {
    const value = this.#record[name];
    if (value === undefined) return fallback;
    const number = numberOf(value);
    if (number === undefined || !Number.isSafeInteger(number)) this.reject(name, 'must be an integer');
    return number ?? 0;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.#record[name];
    if (value === undefined) return fallback;
    if (typeof value === 'boolean') return value;
    const word = String(value).toLowerCase();
    if (TRUE.has(word)) return true;
    if (!FALSE.has(word) || typeof value === 'object') this.reject(name, 'must be a boolean');
    return false;
  }

  /** Returns an absolute address, normalised; `http://a.b` becomes `http://a.b/`. */
  optionalLink(name: string): string | undefined {
    const value = this.#record[name];
    if (value === undefined || value === null) return undefined;
    const read = readLink(value);
    if ('link' in read) return read.link;
    this.reject(name, read.reason);
    return undefined;
  }

  /** Returns a time in ISO 8601 with the offset that it has; undefined for null. */
  optionalTimestamp(name: string): string | undefined {
    const value = this.#record[name];
    if (value === undefined || value === null) return undefined;
    const time = readTimestamp(value);
    if (time === undefined) this.reject(name, 'must be a date and time in ISO 8601');
    return time;
  }

  strings(name: string, fallback?: readonly string[]): readonly string[] {
    const value = this.#record[name];
    if (value === undefined && fallback !== undefined) return fallback;
    if (!Array.isArray(value)) {
      this.reject(name, value === undefined ? 'is required' : 'must be an array of strings');
      return [];
    }
    for (const [index, one] of value.entries()) {
      if (typeof one !== 'string') this.reject(`${name}.[${index}]`, 'must be a string');
    }
    return value;
  }

  /** Returns the models of an array; an absent array is empty unless `required`. */
  list<T>(name: string, read: (value: unknown) => ModelReading<T>, required = false): readonly T[] {
    const value = this.#record[name];
    if (value === undefined && !required) return [];
    if (!Array.isArray(value)) {
      this.reject(name, value === undefined ? 'is required' : 'must be an array');
      return [];
    }
    const models: T[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const reading = read(value[index]);
      if ('ok' in reading) models.push(reading.ok);
      else this.#adopt(`${name}.[${index}]`, reading.problems);
    }
    return models;
  }

  /** Returns the model of a field, `fallback` when it is absent. */
  model<T>(name: string, read: (value: unknown) => ModelReading<T>, fallback?: unknown): T {
    const value = this.#record[name] ?? fallback;
    const reading: ModelReading<T> = value === undefined ? problem('is required') : read(value);
    if ('ok' in reading) return reading.ok;
    this.#adopt(name, reading.problems);
    return undefined as T;
  }

  /** Returns a classification of the definition, in upper or lower case, as written. */
  classification(name: string, { engine }: ModelContext, fallback?: string): string {
    const text = this.string(name, fallback);
    const isGiven = typeof this.#record[name] === 'string';
    if (isGiven && !isValidClassification(engine, text)) this.reject(name, 'must be a valid classification');
    return text;
  }

  #adopt(place: string, problems: readonly ModelProblem[]): void {
    for (const { at, reason } of problems) this.reject(at === '' ? place : `${place}.${at}`, reason);
  }
}

/** Reads an object by `read`; any other value is the problem. */
export function readRecord<T>(value: unknown, read: (fields: ModelFields) => ModelReading<T>): ModelReading<T> {
  return isObject(value) ? read(new ModelFields(value)) : problem('must be an object');
}

const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes', 'y', 'on', 't']);
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'no', 'n', 'off', 'f']);

/** Returns undefined for anything but a finite number, a boolean or the decimal form of a number. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const isText = typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value);
  const number = isText ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Maximum number of cached validations of one engine. Sources repeat a few classifications in every
 * item: reading an answer of 300 items takes 3.4 ms instead of 4 to 7.
 */
const MAX_VALIDATED = 1_000;
const validated = new WeakMap<ClassificationEngine, Map<string, boolean>>();

function isValidClassification(engine: ClassificationEngine, text: string): boolean {
  const known = validated.get(engine) ?? new Map<string, boolean>();
  validated.set(engine, known);
  const before = known.get(text);
  if (before !== undefined) return before;
  const isValid = text.length <= MAX_CLASSIFICATION_LENGTH && engine.isValid(text.toUpperCase());
  if (known.size >= MAX_VALIDATED) known.clear();
  if (text.length <= MAX_CLASSIFICATION_LENGTH) known.set(text, isValid);
  return isValid;
}

const MAX_CLASSIFICATION_LENGTH = 1_000;
