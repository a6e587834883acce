import { enterpriseTable, mobileTable } from '../../attack/attack-tables.ts';

/** An entry of `attack` in a heuristic of a result. */
export interface AttackEntry {
  readonly attack_id: string;
  readonly pattern: string;
  readonly categories: readonly string[];
}

interface Technique {
  readonly name: string;
  readonly tactics: readonly string[];
}

interface Software {
  readonly name: string;
  readonly isMalware: boolean;
  readonly techniques: readonly string[];
}

/** Entries of a heuristic and the tags that follow from them. */
export interface AttackMapping {
  readonly entries: readonly AttackEntry[];
  readonly tags: readonly { readonly type: string; readonly value: string }[];
}

/** The techniques, software and groups of MITRE ATT&CK that heuristics refer to. */
export class AttackCatalogue {
  readonly #techniques = new Map<string, Technique>();
  readonly #software = new Map<string, Software>();
  readonly #groups = new Map<string, string>();
  readonly #successors = new Map<string, string>();

  /** @param tables texts in the form that `src/attack/attack-table.ts` describes; the first wins */
  constructor(tables: readonly string[]) {
    for (const table of [...tables].reverse()) for (const line of table.split('\n')) this.#add(line);
  }

  /**
   * Maps identifiers to entries and tags (contract/analysis.md 4.8).
   * A revoked one becomes its successor, software adds its techniques, malware the tag `attribution.implant`, a group
   * the tag `attribution.actor`. Unknown identifiers are left out.
   */
  map(identifiers: readonly string[]): AttackMapping {
    const found = new Set<string>();
    const tags = new Map<string, { readonly type: string; readonly value: string }>();
    const tag = (type: string, name: string) => tags.set(`${type}=${name}`, { type, value: name.toUpperCase() });
    for (const id of identifiers.map((one) => this.#successors.get(one) ?? one)) {
      const software = this.#software.get(id);
      const group = this.#groups.get(id);
      if (software === undefined && group === undefined && !this.#techniques.has(id)) continue;
      found.add(id);
      if (group !== undefined) tag('attribution.actor', group);
      if (software?.isMalware) tag('attribution.implant', software.name);
      for (const technique of software?.techniques ?? []) found.add(this.#successors.get(technique) ?? technique);
    }
    return { entries: [...found].sort().flatMap((id) => this.#entry(id) ?? []), tags: [...tags.values()] };
  }

  #entry(id: string): AttackEntry | undefined {
    const technique = this.#techniques.get(id);
    if (technique !== undefined) return { attack_id: id, pattern: technique.name, categories: technique.tactics };
    const software = this.#software.get(id);
    if (software !== undefined) return { attack_id: id, pattern: software.name, categories: ['software'] };
    const group = this.#groups.get(id);
    return group === undefined ? undefined : { attack_id: id, pattern: group, categories: ['group'] };
  }

  #add(line: string): void {
    const [id = '', name, third = '', fourth = ''] = line.split('\t');
    if (name === undefined || id.startsWith('#') || id.startsWith('TA')) return;
    if (third.startsWith('>')) {
      if (third !== '>') this.#successors.set(id, third.slice(1));
    } else if (id.startsWith('T')) this.#techniques.set(id, { name, tactics: listOf(third) });
    else if (id.startsWith('S')) {
      this.#software.set(id, { name, isMalware: third === 'malware', techniques: listOf(fourth) });
    } else this.#groups.set(id, name);
  }
}

function listOf(column: string): readonly string[] {
  return column === '' ? [] : column.split(',');
}

let usual: AttackCatalogue | undefined;

/** Returns the catalogue of the tables of the program, read on the first call. */
export function attackCatalogue(): AttackCatalogue {
  usual ??= new AttackCatalogue([enterpriseTable(), mobileTable()]);
  return usual;
}
