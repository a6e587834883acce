import { stat } from 'node:fs/promises';
import { isObject } from '../../../json/json-object.ts';
import { jsonFileParts } from '../../lists/json-file.ts';
import { type AttackObject, readAttackObject } from './attack-object.ts';

/** The name of another object. */
export type AttackName = Pick<AttackObject, 'id' | 'name'>;

/** An object of ATT&CK with the objects around it. */
export interface AttackEntry extends AttackObject {
  readonly tactics: readonly AttackName[];
  /** Groups that use a technique. */
  readonly groups: readonly AttackName[];
  /** The technique that another is a part of. */
  readonly parent: AttackName | undefined;
  /** Replaces a revoked object. */
  readonly successor: AttackName | undefined;
}

const MAX_FILE_BYTES = 512 * 1024 * 1024;
const MAX_OBJECTS = 50_000;
const MAX_RELATIONSHIPS = 500_000;
const SHAPE = { type: 'type', objects: { '[]': 'object' } } as const;

/** The objects of a STIX bundle of ATT&CK, by identifier. */
export class AttackLibrary {
  readonly #objects = new Map<string, AttackObject>();
  readonly #byStixId = new Map<string, AttackObject>();
  readonly #tactics = new Map<string, AttackObject>();
  /** STIX identifiers of the groups that use a technique, and of the object that replaces one. */
  readonly #users = new Map<string, string[]>();
  readonly #successors = new Map<string, string>();
  #relationships = 0;
  /** Version of ATT&CK, if the bundle names it. */
  #version: string | undefined;

  get version(): string | undefined {
    return this.#version;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Adds an object of a bundle. Of two with one identifier the valid one is kept. */
  add(object: Readonly<Record<string, unknown>>): void {
    if (object.type === 'relationship') this.#relate(object);
    if (object.type === 'x-mitre-collection' && typeof object.x_mitre_version === 'string') {
      this.#version = object.x_mitre_version.slice(0, 20);
    }
    const read = this.#objects.size < MAX_OBJECTS ? readAttackObject(object) : undefined;
    if (read === undefined) return;
    this.#byStixId.set(read.stixId, read);
    const before = this.#objects.get(read.id);
    if (before === undefined || validity(read) > validity(before)) this.#objects.set(read.id, read);
    if (read.shortName !== undefined) this.#tactics.set(read.shortName, read);
  }

  #relate({
    relationship_type: type,
    source_ref: from,
    target_ref: to,
    revoked,
  }: Readonly<Record<string, unknown>>): void {
    if (typeof from !== 'string' || typeof to !== 'string' || revoked === true) return;
    if (this.#relationships >= MAX_RELATIONSHIPS) return;
    this.#relationships += 1;
    if (type === 'revoked-by') this.#successors.set(from, to);
    if (type !== 'uses' || !from.startsWith('intrusion-set--')) return;
    const users = this.#users.get(to) ?? [];
    users.push(from);
    this.#users.set(to, users);
  }

  /** @param id in upper or lower case */
  find(id: string): AttackEntry | undefined {
    const object = this.#objects.get(id.toUpperCase());
    if (object === undefined) return undefined;
    const [parent = ''] = object.id.split('.', 1);
    return {
      ...object,
      tactics: object.phases.flatMap((phase) => nameOf(this.#tactics.get(phase))),
      groups: (this.#users.get(object.stixId) ?? [])
        .flatMap((group) => this.#byStixId.get(group) ?? [])
        .filter(({ isRevoked, isDeprecated }) => !isRevoked && !isDeprecated)
        .sort((left, right) => (left.id < right.id ? -1 : 1))
        .flatMap(nameOf),
      parent: parent === object.id ? undefined : nameOf(this.#objects.get(parent))[0],
      successor: nameOf(this.#byStixId.get(this.#successors.get(object.stixId) ?? ''))[0],
    };
  }
}

/** Returns a list with the name of an object; an empty one for undefined. */
function nameOf(object: AttackObject | undefined): readonly AttackName[] {
  return object === undefined ? [] : [{ id: object.id, name: object.name }];
}

function validity({ isRevoked, isDeprecated, kind }: AttackObject): number {
  // Mitigations once had the identifiers of techniques.
  if (isRevoked) return 0;
  return isDeprecated ? 1 : kind === 'mitigation' ? 2 : 3;
}

/**
 * Reads a STIX 2.x bundle of ATT&CK, part by part, so that the event loop is not blocked.
 * @throws Error with the reason for a file that is not one
 */
export async function readAttackFile(path: string, signal: AbortSignal): Promise<AttackLibrary> {
  const { size } = await stat(path);
  if (size > MAX_FILE_BYTES) throw new Error(`it has ${size} bytes, at most ${MAX_FILE_BYTES} are allowed`);
  const library = new AttackLibrary();
  for await (const parts of jsonFileParts(path, SHAPE, signal)) {
    for (const { name, value } of parts) if (name === 'object' && isObject(value)) library.add(value);
  }
  if (library.size === 0) throw new Error('it is not a STIX bundle with objects of ATT&CK');
  return library;
}
