import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Config } from '../../config/config.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { ListSettings } from './list-entry.ts';

/** A list of the configuration, checked, with its place on disk. */
export interface ConfiguredList {
  readonly settings: ListSettings;
  /** Normalised. */
  readonly classification: string;
  /** Interval of updates in milliseconds; undefined: only the command updates the list. */
  readonly interval: number | undefined;
  /** Milliseconds; undefined: entries of every age are used. */
  readonly expires: number | undefined;
  /** Identifies the settings that a compilation depends on. Other settings need a new compilation. */
  readonly fingerprint: string;
  /** Folder of everything that is kept of the list. */
  readonly folder: string;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
type Engine = Pick<ClassificationEngine, 'normalise' | 'unrestricted'>;

/**
 * Checks the lists of the configuration.
 * @param engine undefined: classifications are not checked, for commands that show nothing to others
 * @throws InvalidInput `invalid_setting` with the place
 */
export function readLists({ enrichment, data_folder }: Config, engine: Engine | undefined): readonly ConfiguredList[] {
  const names = new Set<string>();
  return enrichment.lists.map((settings, index) => {
    const at = `enrichment.lists[${index}]`;
    const { name, path, url, format } = settings;
    // Names are names of folders, and some file systems ignore case.
    if (names.has(name.toLowerCase())) throw invalid(at, 'name', `there are two lists "${name}"`);
    names.add(name.toLowerCase());
    if (path !== null && url !== null) throw invalid(at, 'path', 'a list has either a path or a url, not both');
    if (path === null && url === null) throw invalid(at, 'path', 'a list needs a path or a url');
    if (url === null && format === 'taxii') throw invalid(at, 'url', 'the format taxii needs a url');
    if (url !== null && !URL.canParse(url)) throw invalid(at, 'url', `"${url}" is not an absolute URL`);
    if (settings.password !== null && settings.username === null) {
      throw invalid(at, 'username', 'a password needs a user name');
    }
    return {
      settings,
      classification: classificationOf(settings, at, engine),
      interval: durationOf(settings.interval),
      expires: durationOf(settings.expires),
      fingerprint: fingerprintOf(settings),
      folder: resolve(join(data_folder, 'enrichment', 'lists', name)),
    };
  });
}

function classificationOf({ classification }: ListSettings, at: string, engine: Engine | undefined): string {
  if (engine === undefined) return classification ?? '';
  if (classification === null) return engine.unrestricted;
  try {
    return engine.normalise(classification.toUpperCase());
  } catch (cause) {
    throw invalid(at, 'classification', `${classification} is not a classification`, cause);
  }
}

function durationOf(text: string | null): number | undefined {
  const [, amount, unit = ''] = /^(\d+)([a-z]+)$/.exec(text ?? '') ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? Number.NaN);
}

function fingerprintOf({ format, path, url, collection, match, column }: ListSettings): string {
  const parts = JSON.stringify([format, path, url, collection, match, column]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}

function invalid(at: string, key: string, problem: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_setting', `${at}.${key}: ${problem}.`, { at: `${at}.${key}`, cause });
}
