import type { ClearedReader } from './cleared-reader.ts';
import type { FormattedResult } from './format-result.ts';
import { byHeuristicScore, type HeuristicType, heuristicType, type Verdicts } from './verdicts.ts';

type TagRow = readonly [value: unknown, type: HeuristicType, safelisted: boolean, classification: string];

/** The statements of all results of one file, as pages about a file show them. */
export interface FileAnalysis {
  readonly attack_matrix: Readonly<Record<string, readonly (readonly [id: string, name: string, HeuristicType])[]>>;
  readonly heuristics: Readonly<Record<string, readonly (readonly [id: string, name: string])[]>>;
  readonly signatures: readonly (readonly [name: string, HeuristicType, safe: boolean])[];
  readonly tags: Readonly<Record<string, readonly TagRow[]>>;
}

export interface FileAnalysisOptions {
  readonly verdicts: Verdicts;
  readonly reader: ClearedReader;
  /**
   * Rows of a tag. `value`: one for each value, with the worst of its heuristics. `value_and_type`: one
   * for each value and kind of heuristic.
   */
  readonly tagRows: 'value' | 'value_and_type';
}

/** Collects heuristics, techniques, signatures and tags of formatted results of one file. */
export function analyseFile(results: readonly FormattedResult[], options: FileAnalysisOptions): FileAnalysis {
  const { verdicts, reader, tagRows } = options;
  const attacks = new Grouped<readonly [string, string, HeuristicType]>();
  const heuristics = new Grouped<readonly [string, string]>();
  const signatures = new Grouped<readonly [string, HeuristicType, boolean]>();
  const tags = new Map<string, Map<string, TagRow>>();
  const seenHeuristics = new Set<string>();
  for (const { result } of results) {
    for (const section of byHeuristicScore(result.sections, (each) => each)) {
      const { heuristic } = section;
      const type = heuristicType(heuristic?.score, verdicts);
      if (heuristic !== null) {
        if (!seenHeuristics.has(heuristic.heur_id)) heuristics.add(type, [heuristic.heur_id, heuristic.name]);
        seenHeuristics.add(heuristic.heur_id);
        for (const { attack_id, pattern, categories } of heuristic.attack ?? []) {
          for (const category of categories) attacks.add(category, [attack_id, pattern, type]);
        }
        for (const { name, safe = false } of heuristic.signature ?? []) signatures.add('', [name, type, safe]);
      }
      for (const tag of section.tags) {
        const rows = tags.get(tag.type) ?? new Map<string, TagRow>();
        tags.set(tag.type, rows);
        const key = tagRows === 'value' ? String(tag.value) : `${type}\n${tag.value}`;
        const row: TagRow = [tag.value, type, tag.safelisted, section.classification];
        const known = rows.get(key);
        rows.set(
          key,
          known === undefined ? row : tagRows === 'value' ? worseOf(known, row) : joined(known, row, reader),
        );
      }
    }
  }
  return {
    attack_matrix: attacks.all,
    heuristics: heuristics.all,
    signatures: signatures.of(''),
    tags: Object.fromEntries([...tags].map(([type, rows]) => [type, [...rows.values()]])),
  };
}

/** The later row with the type of both: malicious or suspicious where one is, else info. */
function worseOf([, before]: TagRow, [value, type, safelisted, classification]: TagRow): TagRow {
  const both = [before, type];
  const worst = both.includes('malicious') ? 'malicious' : both.includes('suspicious') ? 'suspicious' : 'info';
  return [value, worst, safelisted, classification];
}

/** Safelisted where one is, with the lower classification. */
function joined(before: TagRow, row: TagRow, reader: ClearedReader): TagRow {
  const [value, type, safelisted, classification] = row;
  return [value, type, safelisted || before[2], reader.min(classification, before[3]) ?? before[3]];
}

/** Lists by name, in which every row stands once. */
export class Grouped<Row extends readonly unknown[]> {
  readonly #lists = new Map<string, Map<string, Row>>();

  add(name: string, row: Row): void {
    const rows = this.#lists.get(name) ?? new Map<string, Row>();
    this.#lists.set(name, rows);
    const key = JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));
    if (!rows.has(key)) rows.set(key, row);
  }

  of(name: string): readonly Row[] {
    return [...(this.#lists.get(name)?.values() ?? [])];
  }

  get all(): Readonly<Record<string, readonly Row[]>> {
    return Object.fromEntries([...this.#lists].map(([name, rows]) => [name, [...rows.values()]]));
  }
}
