import type { ClassificationEngine } from '../../classification/classification.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { ListItem, ListKind, ListSource } from './list-kind.ts';

interface ListedFile {
  readonly name: readonly string[];
}
type Entry = ListItem & { readonly file?: ListedFile | undefined; readonly tag?: unknown };

/**
 * Returns the stored entry with what an added one knows.
 * Sources, reasons, hashes and names of the file are united.
 * The expiry is that of the added one.
 * @throws InvalidInput `invalid_list_entry` when type or type of a source differ, or without any source
 */
export function mergeEntries<T>(kind: ListKind<T>, stored: T, added: T, engine: ClassificationEngine): T {
  const [before, after] = [stored as unknown as Entry, added as unknown as Entry];
  if (after.sources.length === 0) throw invalidEntry('No valid source found');
  const sources = mergeSources(before.sources, after.sources);
  const merged = {
    ...before,
    ...kind.merge?.(stored, added),
    classification: highest(sources, engine),
    expiry_ts: after.expiry_ts,
    hashes: { ...before.hashes, ...present(after.hashes) },
    sources,
    updated: after.updated,
    ...(before.type === 'file' ? { file: mergeFiles(before.file, after.file) } : {}),
    ...(before.type === 'tag' ? { tag: after.tag } : {}),
  };
  return merged as unknown as T;
}

/** Returns the classification that shows nothing of any source to whom it is not for. */
export function highest(sources: readonly ListSource[], engine: ClassificationEngine): string {
  return sources.reduce((found, { classification }) => engine.max(found, classification), engine.unrestricted);
}

/** Returns sources by name, with the last of each; sent twice, a source counts once. */
export function distinctSources(sources: readonly ListSource[]): readonly ListSource[] {
  return [...new Map(sources.map((source) => [source.name, source])).values()];
}

export function invalidEntry(reason: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_list_entry', `Invalid data provided: ${reason}`, { cause, response: null });
}

function mergeSources(stored: readonly ListSource[], added: readonly ListSource[]): readonly ListSource[] {
  const sources = new Map(stored.map((source) => [source.name, source]));
  for (const source of added) {
    const known = sources.get(source.name);
    if (known !== undefined && known.type !== source.type) {
      throw invalidEntry(`Source ${source.name} has a type conflict: ${known.type} != ${source.type}`);
    }
    sources.set(source.name, { ...source, reason: [...new Set([...(known?.reason ?? []), ...source.reason])] });
  }
  return [...sources.values()];
}

function mergeFiles(stored: ListedFile | undefined, added: ListedFile | undefined): ListedFile {
  const name = [...new Set([...(stored?.name ?? []), ...(added?.name ?? [])])];
  return { ...stored, ...present(added ?? {}), name };
}

function present(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
